function run = sistrum_render(scene, varargin)
% RUN = SISTRUM_RENDER(SCENE, NAME, VALUE, ...) runs a scene, a file or the name of an installed one, and
% returns what sistrum_data returns. For Octave and Matlab, by the program on the PATH or in $SISTRUM.
%
% A NAME with two dashes is an option of sistrum render, any other one a param of the scene:
%   run = sistrum_render('tanpura', 'K', 1e7, '--duration', 1, '--oversample', 2);
%   plot(run.time, run.data(:, 1)); ylabel([run.names{1} ' in ' run.units{1}]);
% With '--energy', true the energies are in RUN.energy, which has the same fields. Values are single
% numbers or texts; true and false are on and off.
  scene = plain(scene);
  varargin = cellfun(@plain, varargin, 'UniformOutput', false);
  program = getenv('SISTRUM');
  if isempty(program)
    program = 'sistrum';
  end
  if ~ischar(scene) || isempty(scene)
    error('sistrum_render: the scene is a text, a file or the name of an installed one');
  end
  if mod(numel(varargin), 2)
    error('sistrum_render: after the scene come names and values in pairs');
  end
  files = {[tempname() '.mat'], [tempname() '.mat']};
  clean = onCleanup(@() remove(files));
  command = [quoted(program) ' render --quiet --data ' quoted(files{1})];
  energy = false;
  for i = 1:2:numel(varargin)
    name = varargin{i};
    value = varargin{i + 1};
    if ~ischar(name) || isempty(name)
      error('sistrum_render: name %d is no text', (i + 1) / 2);
    end
    if strcmp(name, '--energy')
      energy = is_on(name, value);
    elseif strncmp(name, '--', 2)
      command = [command ' ' quoted([name '=' text_of(name, value)])];
    else
      command = [command ' --set ' quoted([name '=' text_of(name, value)])];
    end
  end
  if energy
    command = [command ' --energy ' quoted(files{2})];
  end
  % Matlab puts libraries of its own in front of those of the system.
  [status, said] = system(['unset LD_LIBRARY_PATH; ' command ' -- ' quoted(scene) ' 2>&1']);
  if status ~= 0
    error('%s', strtrim(said));
  end
  run = sistrum_data(files{1});
  if energy
    run.energy = sistrum_data(files{2});
  end
end

function value = plain(value)
  if isa(value, 'string') % of Matlab, in double quotes
    value = char(value);
  end
end

function on = is_on(name, value)
  text = text_of(name, value);
  on = any(strcmp(text, {'on', '1'}));
  if ~on && ~any(strcmp(text, {'off', '0'}))
    error('sistrum_render: ''%s'' is true or false', name);
  end
end

function text = text_of(name, value)
  if ischar(value)
    text = value;
  elseif ~(isnumeric(value) || islogical(value)) || ~isscalar(value) || ~isreal(value)
    error('sistrum_render: the value of ''%s'' is no single number and no text', name);
  elseif islogical(value)
    words = {'off', 'on'};
    text = words{value + 1};
  else
    text = sprintf('%.17g', value);
  end
end

function text = quoted(text)
  text = ['''' strrep(text, '''', '''\''''') ''''];
end

function remove(files)
  for i = 1:numel(files)
    if exist(files{i}, 'file')
      delete(files{i});
    end
  end
end
