#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print a part of a kernel image.

Usage:
  kernel-image.py btf IMAGE               the raw BTF, as in /sys/kernel/btf/vmlinux
  kernel-image.py kernel IMAGE            the decompressed kernel, which QEMU boots: an ELF
                                          on x86-64, an Image on arm64
  kernel-image.py break-btf IMAGE         the decompressed kernel, with damaged BTF
  kernel-image.py sealed IMAGE KALLSYMS   the names of the functions that the kernel never
                                          calls indirectly (x86-64, IBT)

IMAGE is an x86 bzImage, an arm64 Image, which may be packed with gzip, or an EFI zboot
image. Debian ships no vmlinux, and modules are built with the BTF of the image before a
guest could print it. KALLSYMS is the file that kallsyms.sh prints.
"""

import struct
import subprocess
import sys

UNPACK = {
    b"\x1f\x8b": ("gzip", "-dc"),
    b"\xfd7zXZ": ("xz", "-dc", "--single-stream"),
    b"\x28\xb5\x2f\xfd": ("zstd", "-dcq"),
    b"\x02\x21\x4c\x18": ("lz4", "-dcq"),
}

# Magic number, version, flags and length of struct btf_header, and the offset of the types
BTF_START = struct.pack("<HBBII", 0xeb9f, 1, 0, 24, 0)
BTF_HEAD = 24
BTF_LEAST = 1 << 20     # bytes: the kernel's own BTF has more, other matches have less


def decompress(data):
    """Return decompressed data. The data are returned as they are if they have no known magic.

    The exit status is ignored, because some programs fail if data follow the stream.
    """
    for magic, command in UNPACK.items():
        if data.startswith(magic):
            return subprocess.run(command, input=data, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, check=False).stdout
    return data


def payload(image):
    """Return the compressed kernel in an image, or the image itself."""
    if image[0x202:0x206] == b"HdrS":
        offset, length = struct.unpack_from("<II", image, 0x248)
        offset += 512 * ((image[0x1f1] or 4) + 1)
    elif image[:2] == b"MZ" and image[4:8] == b"zimg":
        offset, length = struct.unpack_from("<II", image, 8)
    else:
        return image
    return image[offset:offset + length]


def is_elf(kernel):
    return kernel.startswith(b"\x7fELF\x02")


def open_kernel(path):
    with open(path, "rb") as file:
        kernel = decompress(payload(decompress(file.read())))
    if not is_elf(kernel) and kernel[0x38:0x3c] != b"ARMd":
        sys.exit(f"{path}: neither an x86-64 nor an arm64 kernel")
    return kernel


def find_btf(kernel, path):
    """Return the start and the end of the BTF. Its strings follow its types."""
    at = kernel.find(BTF_START)
    while at >= 0:
        types_size, strings, strings_size = struct.unpack_from("<III", kernel, at + 12)
        first, end = at + BTF_HEAD + strings, at + BTF_HEAD + strings + strings_size
        if strings == types_size and end - at >= BTF_LEAST and end <= len(kernel) and \
                kernel[first] == kernel[end - 1] == 0:
            return at, end
        at = kernel.find(BTF_START, at + 1)
    sys.exit(f"{path}: no BTF found")


def find_section(kernel, path, wanted):
    """Return the address and the contents of a section of an ELF file.

    A section that does not exist counts as empty.
    """
    if not is_elf(kernel):
        sys.exit(f"{path}: not an ELF file, so no sections")
    start, = struct.unpack_from("<Q", kernel, 40)
    size, number, names = struct.unpack_from("<HHH", kernel, 58)
    headers = [struct.unpack_from("<IIQQQQ", kernel, start + i * size) for i in range(number)]
    for name, _, _, address, offset, length in headers:
        if kernel.startswith(wanted + b"\0", headers[names][4] + name):
            return address, kernel[offset:offset + length]
    return 0, b""


def print_btf(path):
    kernel = open_kernel(path)
    start, end = find_btf(kernel, path)
    sys.stdout.buffer.write(kernel[start:end])


def print_kernel(path):
    sys.stdout.buffer.write(open_kernel(path))


def print_broken_btf(path):
    kernel = bytearray(open_kernel(path))
    start, _ = find_btf(kernel, path)
    kernel[start:start + 2] = b"\0\0"
    sys.stdout.buffer.write(kernel)


def print_sealed(path, kallsyms):
    """Print the functions in .ibt_endbr_seal, whose ENDBR the kernel removes when it starts.

    The section has 32-bit offsets, each relative to its own address. A kernel without IBT
    has no such section.
    """
    address, data = find_section(open_kernel(path), path, b".ibt_endbr_seal")
    sealed = {address + 4 * i + entry for i, (entry,) in enumerate(struct.iter_unpack("<i", data))}
    known = set()
    with open(kallsyms, encoding="ascii") as file:
        for line in file:
            symbol, _, name = line.split()
            if int(symbol, 16) in sealed:
                known.add(int(symbol, 16))
                print(name)
    if sealed - known:
        sys.exit(f"{path}: .ibt_endbr_seal lists functions that {kallsyms} does not have")


def main(args):
    commands = {("btf", 2): print_btf, ("kernel", 2): print_kernel,
                ("break-btf", 2): print_broken_btf, ("sealed", 3): print_sealed}
    command = commands.get((args[0] if args else "", len(args)))
    if not command:
        sys.exit("usage: kernel-image.py btf|kernel|break-btf IMAGE, or sealed IMAGE KALLSYMS")
    command(*args[1:])


if __name__ == "__main__":
    main(sys.argv[1:])
