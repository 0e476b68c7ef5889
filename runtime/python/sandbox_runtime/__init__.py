"""The Python inside the sandbox.

It runs in the hostile zone, next to the code it serves: it is there for comfort and guards nothing.
Limits and permissions are the host's. Standard library only, Python 3.11 and newer.

``kernel`` takes the host's messages, ``rpc`` asks the host; ``pyodide_entry`` and ``../entrypoint.py``
connect a kernel to the two kinds of interpreter. A run goes from ``wire`` and ``loop`` over ``names``,
``preflight`` and ``run`` to ``hints``; what its program calls is in ``servers``, ``helpers``, ``files`` and
``charts``.
"""

import os
import sys

#: Time zones for an interpreter that has none; last, so that installed ones come first.
sys.path.append(os.path.join(os.path.dirname(os.path.dirname(__file__)), "time_zones"))
