"""Builds the package from the programs in docs/, which have no second copy (PEP 517, without setuptools or a network)."""
import base64
import hashlib
import io
import pathlib
import re
import tarfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
MODULES = tuple(f"verify_{name}.py" for name in ("receipt", "evidence", "stamps", "hashes", "opening", "index", "log", "scope"))
OWN = ("pyproject.toml", "backend.py", "README.md")
SCRIPTS = "[console_scripts]\nsvc-verify-evidence = verify_evidence:run\nsvc-verify-receipt = verify_receipt:run\n"


def source(name):
    """The text of a module: from docs/, or from next to this file in a source distribution."""
    beside = HERE / name
    return (beside if beside.exists() else HERE.parents[1] / "docs" / name).read_bytes()


def stated(name):
    return re.search(f'^{name} = "(.*)"$', (HERE / "pyproject.toml").read_text("utf-8"), re.MULTILINE)[1]


def base():
    return f"{stated('name').replace('-', '_')}-{stated('version')}"


def metadata():
    lines = ["Metadata-Version: 2.1", f"Name: {stated('name')}", f"Version: {stated('version')}"]
    lines += [f"Summary: {stated('description')}", f"Requires-Python: {stated('requires-python')}", "License: Apache-2.0"]
    return "\n".join(lines).encode() + b"\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {name: source(name) for name in MODULES}
    info = f"{base()}.dist-info"
    files[f"{info}/METADATA"] = metadata()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: backend\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/entry_points.txt"] = SCRIPTS.encode()
    sums = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode() for name, data in files.items()}
    record = [f"{name},sha256={sums[name]},{len(data)}" for name, data in files.items()] + [f"{info}/RECORD,,"]
    files[f"{info}/RECORD"] = "\n".join(record).encode() + b"\n"
    name = f"{base()}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"{base()}.tar.gz"
    files = {**{one: source(one) for one in MODULES}, **{one: (HERE / one).read_bytes() for one in OWN}, "PKG-INFO": metadata()}
    with tarfile.open(pathlib.Path(sdist_directory) / name, "w:gz") as sdist:
        for path, data in files.items():
            entry = tarfile.TarInfo(f"{base()}/{path}")
            entry.size = len(data)
            sdist.addfile(entry, io.BytesIO(data))
    return name
