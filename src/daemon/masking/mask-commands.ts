import { isPlaceholder, MASK } from './mask.ts';

/**
 * Options whose value is a password although their name doesn't say so: how the command line continues up to the value, and a text that
 * must be present before we look. The distance between program and option is bounded, so a text full of program names takes linear time.
 */
const OPTIONS: [letters: string[], option: RegExp][] = [
  [['curl'], /([ \t](?:-u[ \t]{0,4}|--user[ \t=]{1,4})["']?[^\s:"'`]{1,200}:)([^\s"'`\\]{1,500})/g],
  [
    ['curl'],
    /(\bcurl\b[^\n|;&]{0,400}?[ \t](?:-b|--cookie)[ \t=]{0,4}\\{0,3}["']?[\w.-]{1,100}=)([^\r\n"'`\\]{4,4000})/g,
  ],
  [
    ['mysql', 'mariadb'],
    /(\b(?:mysql|mariadb)[\w-]{0,12}\b[^\n|;&]{0,400}?[ \t]-p\\{0,3}["']?)([^\s"'`\\-][^\s"'`\\]{2,500})/g,
  ],
  [
    ['docker', 'podman', 'skopeo', 'buildah', 'helm', 'oras'],
    /(\b(?:docker|podman|skopeo|buildah|helm|oras)[ \t][^\n|;&]{0,60}?\blogin\b[^\n|;&]{0,300}?[ \t]-p[ \t=]{0,4}\\{0,3}["']?)([^\s"'`\\]{3,500})/g,
  ],
  [
    ['mongo', 'sshpass', 'az ', 'sqlcmd', 'cqlsh', 'beeline'],
    /(\b(?:mongo\w{0,12}|sshpass|az|sqlcmd|cqlsh|beeline)[ \t][^\n|;&]{0,300}?(?<=[ \t])-[pP][ \t]{0,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g,
  ],
  [['redis-cli'], /(\bredis-cli\b[^\n|;&]{0,300}?[ \t]-a[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g],
  [['ldap'], /(\bldap\w{3,10}\b[^\n|;&]{0,300}?[ \t]-w[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g],
  [
    ['htpasswd'],
    /(\bhtpasswd\b[ \t][^\n|;&]{0,100}?-\w{0,6}b\w{0,6}[ \t]{1,4}\S{1,200}[ \t]{1,4}\S{1,100}[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g,
  ],
  [['zip', '7z'], /(\b(?:un)?zip\b[^\n|;&]{0,200}?[ \t]-P[ \t]{0,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g],
  [['7z'], /(\b7z[a-z]?\b[^\n|;&]{0,200}?[ \t]-p\\{0,3}["']?)([^\s"'`\\]{4,500})/g],
  [
    ['http'],
    /(\bhttps?[ \t][^\n|;&]{0,200}?(?:-a|--auth)[ \t=]{1,4}\\{0,3}["']?[^\s:"'`]{1,200}:)([^\s"'`\\]{4,500})/g,
  ],
  [
    ['smb', 'mount', 'net ', 'rpcclient'],
    /(\b(?:smb\w{3,8}|net|rpcclient)\b[^\n|;]{0,200}?[ \t](?:-U|--user)[ \t=]{0,4}\\{0,3}["']?[^\s%"'`]{1,200}%)([^\s"'`\\]{4,500})/g,
  ],
  [
    ['gh '],
    /(\bgh[ \t]{1,4}secret[ \t]{1,4}set\b[^\n|;&]{0,200}?[ \t](?:-b|--body)[ \t=]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,2000})/g,
  ],
  [
    ['SecureString', 'keyvault'],
    /(\b(?:SecureString|keyvault[ \t]secret[ \t]set)\b[^\n|;&]{0,200}?--value[ \t=]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,4000})/g,
  ],
  [
    ['ConvertTo-SecureString'],
    /(\bConvertTo-SecureString[ \t]{1,4}(?:-String[ \t]{1,4})?\\{0,3}["'])([^"'\n\\]{4,500})/g,
  ],
  [
    ['bindpw', 'requirepass', 'masterauth'],
    /(\b(?:bindpw|requirepass|masterauth)[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g,
  ],
  [['@tcp(', '@unix('], /(\b[\w.-]{1,60}:)([^\s:@"'`\\]{3,200})(?=@(?:tcp|unix)\()/g],
  [['jdbc:oracle'], /(\bjdbc:oracle:\w{1,8}:[\w.]{1,60}\/)([^\s@"'`\\/]{3,200})(?=@)/g],
  [
    ['mc alias'],
    /(\bmc[ \t]alias[ \t]set[ \t]{1,4}\S{1,60}[ \t]{1,4}\S{1,200}[ \t]{1,4}\S{1,100}[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g,
  ],
  [['login'], /(\blogin[ \t]{1,4})([0-9a-f]{32,128})(?![0-9a-z])/g],
  [['lftp'], /(\blftp\b[^\n|;&]{0,100}?[ \t]-u[ \t]{0,4}\\{0,3}["']?[^\s,"'`]{1,100},)([^\s"'`\\]{3,500})/g],
  [['sqlplus'], /(\bsqlplus[ \t][^\n|;&]{0,60}?[\w.]{1,60}\/)([^\s@"'`\\/]{3,500})(?=@)/g],
  [['ssh-keygen'], /(\bssh-keygen\b[^\n|;&]{0,200}?[ \t]-[NP][ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g],
  [['signtool'], /(\bsigntool\b[^\n|;&]{0,200}?[ \t]\/p[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g],
  [['http-basic'], /(\bhttp-basic\.\S{1,100}[ \t]{1,4}\S{1,100}[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g],
  [
    ['nmcli', 'wpa_passphrase'],
    /(\b(?:nmcli\b[^\n|;&]{0,200}?[ \t]password|wpa_passphrase[ \t]{1,4}\S{1,100})[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g,
  ],
  // `auth=("name", "password")` in Python's requests, `user = "name:password"` in a curlrc
  [
    ['auth'],
    /(\bauth[ \t]{0,4}=[ \t]{0,4}\([ \t]{0,4}\\{0,3}["'][^"'\n\\]{1,100}\\{0,3}["'][ \t]{0,4},[ \t]{0,4}\\{0,3}["'])([^"'\n\\]{4,500})/g,
  ],
  [
    ['user'],
    /(\buser[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["'][^\s:"'\\]{1,100}:)(?!\d{1,6}\\{0,3}["'])([^\s"'\\]{4,500})(?=\\{0,3}["'])/g,
  ],
  [['assword'], /(\bname=\\{0,3}"\w{0,20}[pP]assword\\{0,3}"(?:\r?\n|\\r\\n|\\n){2})([^\r\n\\]{4,500})/g],
  [['pass:'], /(\bpass:)([^\s"'`\\]{4,500})/g],
  [['pass '], /([ \t]-(?:store|key|srcstore|deststore|srckey|destkey)pass[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g],
];

/** A password piped into a program: `echo 'pw' | docker login --password-stdin`, `sudo -S`, `gh auth login --with-token <<< token`. */
const PIPED =
  /(\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?\\{0,3}["']?)([^\s"'`|\\]{4,500})(?=\\{0,3}["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4}-\w{0,4}S|(?:sudo[ \t]{1,4})?(?:kinit|cryptsetup|su\b|passwd|(?:docker|podman)[ \t]secret|gh[ \t]secret)|[^\n|;&]{0,200}(?:--password-stdin|--with-token|--passphrase-fd|-pass(?:in)?[ \t]stdin)))/g;
/** `echo 'name:password' | chpasswd` */
const CHPASSWD =
  /(\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?\\{0,3}["']?[\w.-]{1,64}:)([^\s"'`|\\]{4,500})(?=[^\n|]{0,8}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd)/g;
/** SQL's `PASSWORD 'x'` and `IDENTIFIED BY 'x'`. */
const SQL =
  /(\b(?:PASSWORD(?:[ \t]{1,4}FOR[ \t]{1,4}\S{1,120}[ \t]{0,4}=)?|IDENTIFIED(?:[ \t]{1,4}WITH[ \t]{1,4}["'\w]{1,60})?[ \t]{1,4}(?:BY|AS))[ \t]{1,4}\\{0,3}')((?:[^'\r\n\\]|''){3,500})(?=\\{0,3}')/gi;
const HERE_STRING = /((?:--password-stdin|--with-token)[ \t]{0,4}<<<[ \t]{0,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g;

/** Secrets that command lines pass in unnamed options or pipe into a program. */
export function maskCommands(text: string): string {
  let masked = text;
  const replace = (pattern: RegExp) => {
    masked = masked.replace(pattern, (whole, before: string, value: string) =>
      isPlaceholder(value) ? whole : `${before}${MASK}`,
    );
  };
  for (const [letters, option] of OPTIONS) if (letters.some((start) => text.includes(start))) replace(option);
  if (/-stdin|--with-token|sudo|-fd|kinit|cryptsetup|passwd|secret|\bsu\b|stdin/.test(text)) {
    replace(PIPED);
    replace(HERE_STRING);
  }
  if (text.includes('chpasswd')) replace(CHPASSWD);
  if (/password[ \t]|identified/i.test(text)) replace(SQL);
  return masked;
}
