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

# What a process imports only when a program looks wrong or fails.
from . import hints, preflight, reach, suspects

# What a traceback imports on its first use.
traceback.format_exception_only(SyntaxError("", ("", 1, 1, "", 1, 1)))
