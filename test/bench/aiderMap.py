"""One cold repo map by Aider's own RepoMap class; started by peers.mjs inside the virtual environment it made.

usage: aiderMap.py REPOSITORY CACHE_FOLDER MEMORY_GB < TASK

Aider counts tokens with its model's tokenizer; characters / 4 stand in for it, which is cheaper than any real one. Its
cache lies outside the repository, which is only read.
"""

import os
import re
import resource
import subprocess
import sys

repository, cache_folder, memory_gb = os.path.realpath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_AS, (memory_gb << 30, memory_gb << 30))

from aider.repomap import RepoMap, find_src_files  # noqa: E402

MAP_TOKENS = 1024


class Model:
    def token_count(self, text):
        return len(text) / 4


class Io:
    def read_text(self, name):
        try:
            with open(name, encoding="utf-8", errors="ignore") as file:
                return file.read()
        except OSError:
            return None

    def tool_output(self, *_):
        pass

    tool_warning = tool_error = tool_output


def tracked_files():
    """What git tracks, as Aider takes it; without git what Aider's own walk finds."""
    found = subprocess.run(["git", "-C", repository, "ls-files", "-z"], capture_output=True)
    names = found.stdout.decode("utf-8", "surrogateescape").split("\0") if found.returncode == 0 else []
    paths = [os.path.join(repository, name) for name in names if name] or find_src_files(repository)
    return [path for path in paths if os.path.isfile(path)]


RepoMap.TAGS_CACHE_DIR = os.path.realpath(cache_folder)
task = sys.stdin.read()
words = set(re.split(r"\W+", task))  # as Aider's get_ident_mentions
files = tracked_files()
repo_map = RepoMap(MAP_TOKENS, root=repository, main_model=Model(), io=Io(), map_mul_no_files=1)
mentioned = {name for name in (os.path.relpath(path, repository) for path in files) if name in task}
text = repo_map.get_repo_map([], files, mentioned_fnames=mentioned, mentioned_idents=words)
# Without a map Aider has given up, for want of memory for one: that is no time to compare with.
if not text:
    sys.exit("Aider made no map")
sys.stdout.write(text)
