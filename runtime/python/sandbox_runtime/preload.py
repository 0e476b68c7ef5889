"""Standard modules that most programs use, imported once into the snapshot instead of in every sandbox."""

# ruff: noqa: F401
import base64
import bisect
import collections
import contextlib
import copy
import csv
import dataclasses
import datetime
import decimal
import difflib
import enum
import fractions
import functools
import hashlib
import heapq
import html
import importlib.resources
import io
import itertools
import json
import math
import operator
import os
import pathlib
import pprint
import random
import re
import statistics
import string
import tempfile
import textwrap
import time
import traceback
import types
import typing
import unicodedata
import urllib.parse
import uuid
import zlib
import zoneinfo

import tzdata  # There are no zones in Pyodide's file system: the first one would be slow.

# What a process imports only when it is needed: by functions of ours, for a program that looks wrong or fails.
from .awaits import handed, statement_uses
from .charts import render
from .files import showing
from .helpers import saved_tool_source
from .hints import hints
from .preflight import bindings, harmless, preflight, suspects
from .wire import jsonable

# What a traceback and a time zone import on their first use.
zoneinfo.ZoneInfo("UTC")
traceback.format_exception_only(SyntaxError("", ("", 1, 1, "", 1, 1)))
