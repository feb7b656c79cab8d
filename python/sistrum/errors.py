"""What can go wrong. The text of an exception is the sentence the program would print."""

from __future__ import annotations

from typing import Any, Tuple


def clean(text: object) -> str:
    """One line that can be printed anywhere, as sis_clean makes it."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\ufffd" for c in str(text))


class SistrumError(Exception):
    """Any of the below. `code` is the exit code with which the program would end. An error of a scene knows its `line` in
    the file (0: none in particular), the `object` ("string 'low'") and its `key`, "" where there is none."""

    code = 1

    def __init__(self, text: str, line: int = 0, object: str = "", key: str = "") -> None:
        """`text` is the sentence."""
        super().__init__(clean(text))
        self.line, self.object, self.key = line, object, key

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (str(self), self.line, self.object, self.key)


class LibraryError(SistrumError, ImportError):
    """libsistrum-scene was not found, cannot be loaded or has another version."""


class SceneError(SistrumError):
    """The scene is unreadable, wrong or refused."""

    code = 3


class SettingError(SistrumError, ValueError):
    """A param, a rate, a scheme: there is none of that name, or its value is out of range."""

    code = 2


class StateError(SistrumError, ValueError):
    """A state or a checkpoint that was saved is damaged, of another version, or of another scene, system or run."""

    code = 2


class RunError(SistrumError):
    """The run came to an end: a root that is not real, a number that is not finite. Or another one writes its checkpoint."""
