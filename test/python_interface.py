"""ctypes believes what it is told: so what it is told is compared with the headers."""

import ctypes
import ctypes.util
import os
import re
import shutil
import subprocess
import sys
import unittest

from python_case import Case, SANITIZED, SOURCE, _c, main, read_text, sistrum
from sistrum import _data

HEADERS = [os.path.join(SOURCE, "include", "sistrum", name) for name in ("sistrum.h", "elementary.h", "downsample.h")] + [
    os.path.join(SOURCE, "script", "script.h")]


def without_comments(path):
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", read_text(path), flags=re.S))


class Interface(Case):
    """ctypes believes what it is told: so what it is told is compared with the headers."""

    def check_layouts(self, structures, include, *folders):
        """What ctypes makes of the structures is what the C compiler makes of the headers."""
        lines = []
        for name, kind in structures.items():
            lines.append('printf("%s %%zu\\n", sizeof(%s));' % (name, name))
            for field, _ in kind._fields_:
                lines.append('printf("%s.%s %%zu %%zu\\n", offsetof(%s, %s), sizeof(((%s*)0)->%s));' %
                             (name, field, name, field, name, field))
        source = "#include <stdio.h>\n#include \"%s\"\nint main(void) {\n%s\n}\n" % (include, "\n".join(lines))
        program = self.path("layout")
        subprocess.run(["cc", "-std=c17", "-DSISTRUM_SWEEP", *["-I" + os.path.join(SOURCE, f) for f in ("include", *folders)],
                        "-x", "c", "-", "-o", program], input=source, text=True, check=True)
        said = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        known = []
        for name, kind in structures.items():
            known.append("%s %d" % (name, ctypes.sizeof(kind)))
            for field, _ in kind._fields_:
                place = getattr(kind, field)
                known.append("%s.%s %d %d" % (name, field, place.offset, place.size))
        self.assertEqual(said.split("\n")[:-1], known)

    def test_layouts_are_those_of_the_c_compiler(self):
        self.check_layouts(_c.STRUCTURES, "script.h", "script")
        self.check_layouts(_data.STRUCTURES, "data.h", "script", "out", "sweep", "python/library")

    def test_the_library_of_data_exports_its_header_and_nothing_else(self):
        text = without_comments(os.path.join(SOURCE, "python", "library", "data.h"))
        declared = dict(re.findall(r"\b(sis_data_\w+)\(([^)]*)\)", re.sub(r"\(\*\w+\)\([^)]*\)", "", text)))
        known = {**_data.SOUNDS, **_data.STUDIES}
        self.assertEqual(set(declared), set(known))
        for name, (_, arguments) in known.items():
            count = 0 if declared[name] == "void" else declared[name].count(",") + 1
            self.assertEqual(len(arguments), count, name)
        path = os.path.join(os.path.dirname(sistrum.library_path), "libsistrum-data.so")
        listed = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
        exported = {line.split()[-1] for line in listed.splitlines()}
        if SANITIZED:
            exported = {name for name in exported if name.startswith("sis_")}
        self.assertLessEqual(exported, set(known))
        self.assertLessEqual(set(_data.SOUNDS), exported)
        if not SANITIZED:  # what a wheel may not bring along
            needed = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
            for library in ("sndfile", "jansson", "jack"):
                self.assertNotIn(library, needed)

    def test_structures_have_every_field_of_the_headers(self):
        text = "".join(map(without_comments, HEADERS))
        for name, kind in _c.STRUCTURES.items():
            inside = re.search(r"typedef struct %s \{(.*?)\} %s;" % (name, name), text, re.S).group(1)
            inside = re.sub(r"\(\*(\w+)\)\([^;]*\)", r"*\1", inside)  # a pointer to a function
            fields = [re.sub(r"\[.*", "", part.split()[-1].lstrip("*"))
                      for line in inside.split(";") if line.strip() for part in line.split(",")]
            self.assertEqual(fields, [field for field, _ in kind._fields_], name)

    def test_the_library_exports_the_public_interface_and_nothing_else(self):
        declared = set(re.findall(r"\b(sis_\w+)\(", "".join(map(without_comments, HEADERS))))
        listed = subprocess.run(["nm", "-D", "--defined-only", sistrum.library_path], capture_output=True, text=True,
                                check=True).stdout
        exported = {line.split()[-1] for line in listed.splitlines()}
        if SANITIZED:
            exported = {name for name in exported if name.startswith("sis_")}
        self.assertEqual(exported, declared)
        self.assertGreater(len(declared), 70)
        self.assertEqual(set(_c.FUNCTIONS) - declared, set())

    def test_every_function_takes_as_many_arguments_as_in_c(self):
        text = "".join(map(without_comments, HEADERS))
        for name, (_, arguments) in _c.FUNCTIONS.items():
            inside = re.search(r"\b%s\(([^)]*)\)" % name, text).group(1)
            count = 0 if inside == "void" else inside.count(",") + 1
            self.assertEqual(len(arguments), count, name)
            self.assertEqual(list(getattr(_c.lib, name).argtypes), arguments)

    def test_version(self):
        header = re.search(r'#define SIS_VERSION "(.*)"', read_text(HEADERS[0])).group(1)
        self.assertEqual(sistrum.__version__, header)
        self.assertEqual(_c.INTERFACE, header.rsplit(".", 1)[0],
                         "python/sistrum/_c.py: compare the structures with the headers, then set INTERFACE")

    def loading(self, library, **more):
        return subprocess.run([sys.executable, "-c", "import sistrum"], capture_output=True, text=True, env={
            **os.environ, "PYTHONPATH": os.path.join(SOURCE, "python"), "SISTRUM_LIBRARY": library, **more})

    @unittest.skipIf(SANITIZED, "the preloaded sanitizer ends programs of its own accord")
    def test_a_wrong_library_is_refused_by_name(self):
        self.assertIn("cannot be used", self.loading(self.path("none.so")).stderr)
        old = self.path("old.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", old], text=True, check=True,
                       input='const char* sis_version(void);const char* sis_version(void) { return "0.1.7"; }')
        self.assertIn("old.so is version 0.1.7, this package needs " + _c.INTERFACE, self.loading(old).stderr)

    @unittest.skipIf(SANITIZED, "the preloaded sanitizer ends programs of its own accord")
    @unittest.skipIf(ctypes.util.find_library("sistrum-scene"), "the linker knows one")
    def test_what_is_missing_is_named_with_the_command_that_brings_it(self):
        tree = self.path("tree")
        shutil.copytree(os.path.join(SOURCE, "python"), os.path.join(tree, "python"))
        here = {"PYTHONPATH": os.path.join(tree, "python")}
        self.assertIn("libsistrum-scene.so was not found", self.loading("", **here).stderr.splitlines()[-1])
        with open(os.path.join(tree, "CMakeLists.txt"), "w"):
            pass
        self.assertTrue(self.loading("", **here).stderr.splitlines()[-1].endswith(
            "libsistrum-scene.so is not built yet: run make in " + tree))
        without = subprocess.run([sys.executable, "-c", "import sys; sys.modules['numpy'] = None; import sistrum"],
                                 capture_output=True, text=True, env={**os.environ, **here})
        self.assertEqual(without.stderr.splitlines()[-1],
                         "ImportError: sistrum needs numpy: apt install python3-numpy, or pip install numpy")


if __name__ == "__main__":
    main()
