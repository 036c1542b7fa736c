"""Measures and prints as Baseline/measure.c does."""

import resource
import sys
import time


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize() // 1024


def measure(name, work, prepare=lambda: None, answer=None):
    """Runs work once; if that took less than 50 ms of CPU time, again and again until it has taken 200."""

    def once():
        prepare()
        cpu, wall = time.process_time(), time.perf_counter()
        found = work()
        return (time.process_time() - cpu) * 1e3, (time.perf_counter() - wall) * 1e3, found

    before = resident()
    cpu, wall, expected = once()
    memory = f"{before} {resident()} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}"
    told = answer() if answer else expected
    repetitions = 1
    if cpu < 50:
        cpu = wall = repetitions = 0
        while cpu < 200:
            more, passed, found = once()
            if found != expected:
                sys.exit(f"{name}: {expected}, then {found}")
            cpu, wall, repetitions = cpu + more, wall + passed, repetitions + 1
    print(name, f"{cpu / repetitions:.6f} {wall / repetitions:.6f}", repetitions, told, memory, flush=True)


def signed(value):
    return value - 2**64 if value >= 2**63 else value


def length(text):
    return len(text.encode())
