% How long a ball touches a wall, for ten hardnesses, and whether the energy balance closes:
%   octave examples/octave/hardness.m
% The scene is written here, so that it needs nothing else; sistrum is on the PATH or in $SISTRUM.
addpath(fileparts(mfilename('fullpath')));
scene = [tempname() '.lua'];
file = fopen(scene, 'w');
fprintf(file, ['local K = param { "K", 1e8, min = 1e6, max = 1e10 }\n' ...
  'local ball = mass { mass = 0.01, position = 1e-4, velocity = -1, name = "ball" }\n' ...
  'local wall = barrier { height = 0 }\n' ...
  'local hit = contact { above = ball, below = wall, K = K, alpha = 1.5, name = "hit" }\n' ...
  'probe { on = hit, quantity = "force", name = "force" }\n' ...
  'render { rate = 192000, duration = 0.02 }\n']);
fclose(file);
stiffness = logspace(6, 9, 10);
for K = stiffness
  run = sistrum_render(scene, 'K', K, '--energy', true);
  touching = sum(run.data(:, strcmp(run.names, 'force')) > 0) / run.rate;
  residual = run.energy.data(:, strcmp(run.energy.names, 'residual'));
  line = sprintf('K = %8.3g N/m^1.5: touches for %6.3f ms, residual %.1e J', K, 1e3 * touching, ...
    max(abs(residual)));
  disp(line);
end
delete(scene);
