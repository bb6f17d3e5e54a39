"""Which measurements the tables need, and their results by configuration."""

from flow import jobs, store, sweep, targets
from flow.configurations import Configuration
from flow.jobs import Job
from flow.library import Library


def mapping_job(configuration: Configuration, library: Library) -> Job:
    """Area and timing of a configuration on a library."""
    key = store.key("mapping", ["sweep.py", "targets.py"], library.digest, repr(configuration), targets.digest())
    return Job(f"{library.key} {configuration.name}", key, sweep.measure, (configuration, library))


def measure(configurations: list[Configuration], library: Library, processes: int) -> dict[Configuration, dict]:
    """The mapping results of all configurations."""
    wanted = {configuration: mapping_job(configuration, library) for configuration in configurations}
    results = jobs.run(list(wanted.values()), processes)
    return {configuration: results[job.key] for configuration, job in wanted.items()}
