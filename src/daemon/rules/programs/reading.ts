import { type Program, READS } from './program.ts';

/** Programs that only look and print. */
const NAMES =
  'cat tac nl head tail wc cut paste join comm tr rev fold fmt expand unexpand column cmp diff sdiff3 od hexdump strings ' +
  'ls dir vdir stat du df basename dirname realpath readlink pwd which whereis type cksum sum md5sum sha1sum sha224sum ' +
  'sha256sum sha384sum sha512sum b2sum md5 shasum grep egrep fgrep zcat jq seq numfmt nproc arch uname whoami id groups ' +
  'logname users who w uptime free ps pgrep pstree printenv locale tty true false sleep : echo yes factor expr cal getconf ' +
  'lsblk lscpu lsusb lspci vmstat iostat sw_vers nslookup host ping ping6 traceroute base64 base32 bc tput test [ cloc tokei ' +
  'scc nm size readelf ldd otool file-size';

export const READING: Record<string, Program> = {
  ...Object.fromEntries(NAMES.split(' ').map((name) => [name, READS])),
  // `base64 -o`, `expr` and `test` with an index that bash computes, `ldd` that runs what it looks at
};
