class Figure:
    def savefig(self, target, *, format, **_options):
        target.write(b"\x89PNG\r\n\x1a\n and more")

    def show(self, warn=True):
        raise AttributeError("Figure.show works only for figures managed by pyplot")
