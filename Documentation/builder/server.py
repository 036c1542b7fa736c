"""A server of PostgreSQL's for examples, in a temporary folder, reached by a socket there."""
import glob
import os
import shutil
import subprocess
import tempfile
import threading


class Server:
    """Started when it is first needed, and stopped at the end."""

    def __init__(self):
        self.folder, self.lock, self.isThere = None, threading.Lock(), None
        self.environment = {}

    def __enter__(self):
        return self

    def start(self):
        with self.lock:
            if self.isThere is None:
                self.isThere = self._start()
            return self.isThere

    def _run(self, program, *arguments):
        owner = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        subprocess.run([*owner, os.path.join(self.bin, program), *arguments], cwd="/", check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _start(self):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
        if not found:
            return False
        self.bin = os.path.dirname(found[-1])
        self.folder = tempfile.mkdtemp(prefix="pages-")
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        data = os.path.join(self.folder, "data")
        self._run("initdb", "-D", data, "-U", "app", "-A", "trust", "-E", "UTF8", "--no-sync")
        self._run("pg_ctl", "-D", data, "-o", f"-k {self.folder} -c listen_addresses='' -c fsync=off",
                  "-l", os.path.join(self.folder, "log"), "-w", "start")
        self._run("createdb", "-h", self.folder, "-U", "app", "shop")
        # What a page's URL leaves out libpq takes from the environment.
        self.environment = {"PGHOST": self.folder, "PGUSER": "app"}
        return True

    def __exit__(self, *_):
        if self.folder:
            try:
                self._run("pg_ctl", "-D", os.path.join(self.folder, "data"), "-m", "immediate", "stop")
            finally:
                shutil.rmtree(self.folder, ignore_errors=True)
