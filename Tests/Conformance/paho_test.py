"""Plays one of Eclipse Paho's interoperability tests against a broker that stands:

    paho_test.py FILE NAME PORT

As the file does when it is called itself, which cannot be told a port and a test at once.
"""

import importlib
import logging
import pathlib
import sys
import unittest

if __name__ == "__main__":
    path, name, port = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    sys.path.insert(0, str(path.parent))
    tests = importlib.import_module(path.stem)
    prefix = "client_test5/" if path.stem == "client_test5" else ""
    tests.host, tests.port, tests.topic_prefix = "127.0.0.1", port, prefix
    tests.topics = [prefix + topic for topic in ("TopicA", "TopicA/B", "Topic/C", "TopicA/C", "/TopicA")]
    tests.wildtopics = [prefix + topic for topic in ("TopicA/+", "+/C", "#", "/#", "/+", "+/+", "TopicA/#")]
    tests.nosubscribe_topics = ("test/nosubscribe",)
    logging.getLogger().setLevel(logging.ERROR)
    result = unittest.TextTestRunner(stream=sys.stdout).run(unittest.TestSuite([tests.Test(name)]))
    sys.exit(0 if result.wasSuccessful() and result.testsRun == 1 else 1)
