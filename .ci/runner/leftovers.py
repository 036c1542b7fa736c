"""What a part leaves behind when it is ended before its own clean-up: processes, and files in the folder for temporary ones."""
import os
import shutil
import signal
import tempfile
import time


def temporary_folder():
    """A folder for the temporary files of all parts. Its path is short, since sockets lie in it, and open to the users that
    servers of the tests run as."""
    path = tempfile.mkdtemp(prefix="ocd-")
    os.chmod(path, 0o1777)
    return path


def processes(variable, value):
    """The processes that have inherited this variable of the environment."""
    wanted = f"{variable}={value}".encode()
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                if wanted in file.read().split(b"\0"):
                    found.append(int(name))
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            pass
    return found


def end_processes(variable, value, patience=10):
    """Ends them, after some seconds those too that do not hear a signal; returns how many there were."""
    count = 0
    for number in (signal.SIGTERM, signal.SIGKILL):
        for process in processes(variable, value):
            count += number == signal.SIGTERM
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass
        if number == signal.SIGTERM:
            end = time.monotonic() + patience
            while processes(variable, value) and time.monotonic() < end:
                time.sleep(0.1)
    return count


def remove(path):
    shutil.rmtree(path, ignore_errors=True)
