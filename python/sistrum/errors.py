"""What can go wrong. The text of an exception is the sentence the program would print."""


class SistrumError(Exception):
    """Any of the below. `code` is the exit code with which the program would end."""

    code = 1


class LibraryError(SistrumError, ImportError):
    """libsistrum-scene was not found, cannot be loaded or has another version."""


class SceneError(SistrumError):
    """The scene is unreadable, wrong or refused."""

    code = 3


class SettingError(SistrumError, ValueError):
    """A param, a rate, a scheme: there is none of that name, or its value is out of range."""

    code = 2


class RunError(SistrumError):
    """The run came to an end: a root that is not real, a number that is not finite."""
