"""The installed package finds its libraries and scenes."""

import os
import re
import site
import subprocess
import sys
import unittest

from python_case import Case, SANITIZED, SOURCE, main


@unittest.skipIf(SANITIZED or "SISTRUM_BUILD" not in os.environ, "needs a plain build to install from")
class Installed(Case):
    def test_an_installed_package_finds_its_library_and_scenes(self):
        prefix = self.path("prefix")
        said = self.install("--prefix", prefix)
        package = os.path.join(prefix, "lib", "python3", "dist-packages")
        self.assertIn("export PYTHONPATH=" + package, said)
        self.assert_works(prefix, package)

    def test_below_usr_and_usr_local_it_is_where_python_looks(self):
        for prefix in ("/usr", "/usr/local"):
            with self.subTest(prefix):
                below = [f for f in site.getsitepackages() if re.match(prefix + "/lib/[^/]+/[a-z]+-packages$", f)]
                if not below:
                    self.skipTest("this Python reads nothing below " + prefix)
                root = self.path("root" + prefix.replace("/", "-"))
                self.assertNotIn("PYTHONPATH", self.install("--prefix", prefix, DESTDIR=root))
                found = [os.path.join(folder, name) for folder, names, _ in os.walk(root) for name in names
                         if folder.endswith("-packages")]
                self.assertEqual(found, [root + below[0] + "/sistrum"])
                self.assert_works(root + prefix, root + below[0])

    def install(self, *arguments, **more):
        return subprocess.run(["cmake", "--install", os.environ["SISTRUM_BUILD"], *arguments], check=True, text=True,
                              stdout=subprocess.PIPE, env={**os.environ, **more}).stdout

    def assert_works(self, prefix, package):
        """The package below a prefix takes library and scenes from there, also when it is started in the source tree."""
        env = {key: value for key, value in os.environ.items() if not key.startswith("SISTRUM")}
        for cwd in ("/", os.path.join(SOURCE, "test")):
            done = subprocess.run([sys.executable, "-c", "import sistrum; print(sistrum.library_path); "
                                   "print(sistrum.find_scene('tanpura')); sistrum.load('tanpura').render(0.01)"],
                                  capture_output=True, text=True, cwd=cwd, env={**env, "PYTHONPATH": package})
            self.assertEqual(done.returncode, 0, done.stderr)
            library, scene = done.stdout.split("\n")[:2]
            self.assertTrue(library.startswith(os.path.join(prefix, "lib")), library)
            self.assertEqual(scene, os.path.join(prefix, "share", "sistrum", "scenes", "tanpura.lua"))


if __name__ == "__main__":
    main()
