MemcpyHtoD,0x00007f3c1a000000,800
MemcpyHtoD,0x00007f3c1a000400,800
kernel-1.traceg
