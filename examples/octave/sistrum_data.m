function run = sistrum_data(path)
% RUN = SISTRUM_DATA(PATH) reads a file of sistrum render --data or --energy: .mat, .h5, .csv or .npy.
% For Octave and Matlab. RUN.data has a row for each sample and a column for each probe, RUN.names and
% RUN.units name the columns, RUN.rate is in Hz, RUN.time in seconds. A .npy file has the numbers alone.
  [~, ~, ending] = fileparts(path);
  switch lower(ending)
    case '.mat'
      run = load(path);
    case {'.h5', '.hdf5', '.hdf', '.he5'}
      run = read_hdf5(path);
    case '.csv'
      run = read_csv(path);
    case '.npy'
      run = struct('data', read_npy(path), 'names', {{}}, 'units', {{}}, 'rate', NaN, 'start', 0);
    otherwise
      error('sistrum_data: ''%s'' is no .mat, .h5, .csv or .npy file', path);
  end
  for field = {'data', 'names', 'units', 'rate', 'start'}
    if ~isfield(run, field{1})
      error('sistrum_data: ''%s'' is no data file of sistrum: it has no ''%s''', path, field{1});
    end
  end
  run.names = run.names(:)';
  run.units = run.units(:)';
  run.time = run.start + (0:size(run.data, 1) - 1)' / run.rate;
end

function run = read_hdf5(path)
  % Rows come as columns: both count the other way round than C.
  if exist('h5read') % Matlab
    run.names = cellstr(h5read(path, '/names'));
    run.units = cellstr(h5read(path, '/units'));
    run.rate = h5read(path, '/rate');
    run.start = h5read(path, '/start');
    run.data = h5read(path, '/data')';
  else % Octave
    run = load(path);
    if ~isfield(run, 'version') % the last of them
      error('sistrum_data: Octave stops at texts of ''%s'' that are not ASCII: take .mat or .csv', path);
    end
    run.names = cellstr(run.names);
    run.units = cellstr(run.units);
    run.data = run.data';
  end
end

function run = read_csv(path)
  file = fopen(path, 'r');
  if file < 0
    error('sistrum_data: cannot read ''%s''', path);
  end
  run = struct('rate', NaN, 'start', 0, 'units', {{}});
  lines = 1;
  line = fgetl(file);
  while strncmp(line, '# ', 2)
    [key, value] = strtok(line(3:end), ':');
    value = value(3:end);
    switch key
      case {'rate', 'start', 'oversample'}
        run.(key) = str2double(value);
      case {'scene', 'title'}
        run.(key) = value;
      case 'units'
        run.units = fields_of(value);
    end
    line = fgetl(file);
    lines = lines + 1;
  end
  fclose(file);
  if ~strncmp(line, 'time,', 5)
    error('sistrum_data: ''%s'' is no data file of sistrum: it does not begin with a time column', path);
  end
  run.names = fields_of(line);
  table = dlmread(path, ',', lines, 0);
  run.data = table(:, 2:end);
  run.names = run.names(2:end); % the first column is the time
  if isempty(run.units) % energies
    run.units = repmat({'J'}, 1, numel(run.names));
    run.rate = (size(table, 1) - 1) / (table(end, 1) - table(1, 1));
    run.start = table(1, 1);
  else
    run.units = run.units(2:end);
  end
end

function fields = fields_of(line)
  % Fields between commas; a name with a comma in it stands in quotes.
  fields = {};
  inside = false;
  field = '';
  before = ' ';
  for c = line
    if c == '"'
      inside = ~inside;
      if inside && before == '"' % a pair of quotes inside of quotes is one of the name
        field(end + 1) = c;
      end
    elseif c == ',' && ~inside
      fields{end + 1} = field;
      field = '';
    else
      field(end + 1) = c;
    end
    before = c;
  end
  fields{end + 1} = field;
end

function data = read_npy(path)
  file = fopen(path, 'r', 'ieee-le');
  if file < 0
    error('sistrum_data: cannot read ''%s''', path);
  end
  mark = fread(file, 8, 'uint8')';
  if ~isequal(mark, [147, double('NUMPY'), 1, 0])
    fclose(file);
    error('sistrum_data: ''%s'' is no NumPy array of sistrum', path);
  end
  header = fread(file, fread(file, 1, 'uint16'), 'char=>char')';
  shape = str2double(regexp(header, '\((\d+), (\d+)\)', 'tokens', 'once'));
  is_double = ~isempty(strfind(header, '''<f8''')) && ~isempty(strfind(header, ': False'));
  if ~is_double || numel(shape) ~= 2 % numpy.save writes others too
    fclose(file);
    error('sistrum_data: ''%s'' is no NumPy array of sistrum: it has no rows of float64', path);
  end
  numbers = fread(file, Inf, 'double');
  fclose(file);
  if numel(numbers) ~= prod(shape)
    error('sistrum_data: ''%s'' is damaged: its size is wrong', path);
  end
  data = reshape(numbers, shape(2), shape(1))';
end
