"""What to do about an error, in one line after the traceback.

``hints`` chooses; ``values`` knows what was there instead of what failed, ``missing`` what this run does not
have. Pre-flight asks ``missing`` as well.
"""
