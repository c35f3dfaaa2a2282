/** Before a value: its quote, escaped if the text is inside another string. */
const QUOTE = `\\\\{0,3}["']?`;
const VALUE = `[^\\s"'\`\\\\]`;
/** The distance between program and option is bounded, so that a text full of program names takes linear time. */
const WITHIN = '[^\\n|;&]{0,300}?';

interface OptionsOf {
  /** Programs, each as a piece of a pattern. */
  programs: string[];
  /** Options whose value is a secret although nothing in their name says so. */
  options: string[];
  /** The value follows without a space only: `mysql -p secret` opens the database `secret`. */
  isGlued?: true;
}

const OPTIONS: OptionsOf[] = [
  { programs: ['mysql[\\w-]{0,12}', 'mariadb[\\w-]{0,12}'], options: ['-p'], isGlued: true },
  { programs: ['rar', 'unrar', '7z[a-z]?'], options: ['-h?p'], isGlued: true },
  {
    programs: [
      ...[
        '(?:docker|podman|skopeo|buildah|helm|oras|nerdctl|regctl|crane|az|oc|argocd|cf|ibmcloud|lpass)[ \\t][^\\n|;&]{0,60}?login',
      ],
      ...[
        'mongo\\w{0,12}',
        'sshpass',
        'cqlsh',
        'beeline',
        'twine',
        'certutil',
        'security',
        'useradd',
        'usermod',
        'plink',
        'pscp',
      ],
      ...[
        'arangosh',
        'psexec',
        'rabbitmqadmin',
        'nodetool',
        'svn',
        'evil-winrm',
        'ncftp\\w{0,4}',
        'tabcmd',
        'cadaver',
        'dsmc',
      ],
      ...[
        'mongosh',
        'altool',
        'jfrog',
        'pgbench',
        'asadmin',
        'neo4j-admin',
        'cypher-shell',
        'gpg-preset-passphrase',
        'snowsql',
        'influx',
      ],
    ],
    options: ['-p', '-pw', '-pass'],
  },
  {
    programs: [
      'ipmitool',
      'mosquitto_\\w{3,4}',
      'sqlcmd',
      'osql',
      'tsql',
      'bcp',
      'isql',
      'impala-shell',
      '(?:un)?zip',
      'ssh-keygen',
      'wit',
    ],
    options: ['-P'],
  },
  { programs: ['ssh-keygen'], options: ['-N'] },
  { programs: ['openssl'], options: ['-k', '-K'] },
  { programs: ['redis-cli', 'valkey-cli', 'keydb-cli'], options: ['-a'] },
  { programs: ['ldap\\w{3,10}', 'security'], options: ['-w', '-y'] },
  { programs: ['snmp\\w{2,10}'], options: ['-A', '-X', '-c'] },
  { programs: ['pdf\\w{2,10}', 'qpdf', 'pdftk'], options: ['-upw', '-opw', 'input_pw', 'user_pw', 'owner_pw'] },
  { programs: ['[xw]?freerdp\\w{0,4}', 'mstsc'], options: ['/p:'], isGlued: true },
  { programs: ['signtool', 'net use'], options: ['/p'] },
  { programs: ['keytool', 'jarsigner', 'apksigner'], options: ['-(?:src|dest)?(?:store|key)pass'] },
  { programs: ['gh[ \\t]{1,4}secret[ \\t]{1,4}set'], options: ['-b', '--body'] },
  { programs: ['SecureString', 'keyvault[ \\t]secret[ \\t]set', 'secret:create', 'env:create'], options: ['--value'] },
  { programs: ['netlify', 'ntl'], options: ['--auth'] },
];

/** Any of the programs. Nearly every text has none of them, and one look costs less than one for each. */
export const PROGRAMS = new RegExp(`\\b(?:${OPTIONS.flatMap(({ programs }) => programs).join('|')})\\b`);

/** What a text must contain before the option is searched for, and the pattern from the program to the value. */
export const SECRET_OPTIONS: [programs: RegExp, option: RegExp][] = OPTIONS.map(({ programs, options, isGlued }) => {
  const named = `\\b(?:${programs.join('|')})`;
  // `-port` is not `-p` with a value, `-pX1` is
  const gap = isGlued ? '' : `(?:[ \\t=]{1,4}|(?=[^\\s"']*[\\d!#]))`;
  return [
    new RegExp(`${named}\\b`),
    new RegExp(
      `(${named}\\b${WITHIN}[ \\t](?:${options.join('|')})${gap}${QUOTE})((?!-|\\[masked)${VALUE}{3,2000})`,
      'g',
    ),
  ];
});

/** Arguments that are secrets by their position. */
export const SECRET_OPERANDS: [letters: string[], operand: RegExp][] = [
  [
    ['curl'],
    /(\bcurl\b[^\n|;&]{0,400}?[ \t](?:-u[ \t]{0,4}|--user[ \t=]{1,4})\\{0,3}["']?[^\s:"'`]{1,200}:)([^\s"'`\\]{1,500})/g,
  ],
  [
    ['curl'],
    /(\bcurl\b[^\n|;&]{0,400}?[ \t](?:-b|--cookie)[ \t=]{0,4}\\{0,3}["']?[\w.-]{1,100}=)([^\r\n"'`\\]{4,4000})/g,
  ],
  [
    ['htpasswd'],
    /(\bhtpasswd\b[ \t][^\n|;&]{0,100}?-\w{0,6}b\w{0,6}[ \t]{1,4}\S{1,200}[ \t]{1,4}\S{1,100}[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g,
  ],
  [
    ['http'],
    /(\bhttps?[ \t][^\n|;&]{0,200}?(?:-a|--auth)[ \t=]{1,4}\\{0,3}["']?[^\s:"'`]{1,200}:)([^\s"'`\\]{4,500})/g,
  ],
  [
    ['smb', 'mount', 'net ', 'rpcclient'],
    /(\b(?:smb\w{3,8}|net|rpcclient)\b[^\n|;]{0,200}?[ \t](?:-U|--user)[ \t=]{0,4}\\{0,3}["']?[^\s%"'`]{1,200}%)([^\s"'`\\]{4,500})/g,
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
  [['lftp'], /(\blftp\b[^\n|;&]{0,100}?[ \t]-u[ \t]{0,4}\\{0,3}["']?[^\s,"'`]{1,100},)([^\s"'`\\]{3,500})/g],
  [['sqlplus'], /(\bsqlplus[ \t][^\n|;&]{0,60}?[\w.]{1,60}\/)([^\s@"'`\\/]{3,500})(?=@)/g],
  [['http-basic'], /(\bhttp-basic\.\S{1,100}[ \t]{1,4}\S{1,100}[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g],
  [
    ['nmcli', 'wpa_passphrase'],
    /(\b(?:nmcli\b[^\n|;&]{0,200}?[ \t]password|wpa_passphrase[ \t]{1,4}\S{1,100})[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g,
  ],
  [
    ['rabbitmqctl', 'net user'],
    /(\b(?:rabbitmqctl[ \t]{1,4}(?:add_user|change_password)|net[ \t]{1,4}user)[ \t]{1,4}[\w.@-]{1,100}[ \t]{1,4}\\{0,3}["']?)((?!\/)[^\s"'`\\]{4,500})/g,
  ],
  [
    ['encrypt_string', 'bw unlock'],
    /(\b(?:encrypt_string|bw[ \t]{1,4}unlock)[ \t]{1,4}\\{0,3}["']?)((?!-)[^\s"'`\\]{4,500})/g,
  ],
  [
    ['login '],
    /(\blogin[ \t]{1,4}[\w.+-]{1,64}@[\w.-]{1,100}[ \t]{1,4}\\{0,3}["']?)((?!-|password\b)[^\s"'`\\]{4,500})/g,
  ],
  [['pass:'], /(\bpass:)([^\s"'`\\]{4,500})/g],
  [['runas'], /(\brunas[ \t][^\n|;&]{0,60}?\/user:\S{1,60}[ \t]{1,4})((?!\/)[^\s"'`\\]{4,500})/gi],
  [['input text'], /(\binput[ \t]text[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})(?=[^\n]{0,60}passw)/gi],
  [['sip:', 'sips:', 'ldap:', 'smb:'], /(\b(?:sips?|ldap|smb):[\w.=-]{1,60}:)([^\s@"'`\\/]{4,200})(?=@)/g],
  [
    ['bundle config'],
    /(\bbundle[ \t]config[ \t](?:set[ \t])?(?:--\w{1,10}[ \t])?\S{1,100}[ \t][\w.@-]{1,64}:)([^\s"'`\\]{4,500})/g,
  ],
  [['IDENTIFY'], /(\bIDENTIFY[ \t]{1,4}(?:\w{1,30}[ \t]{1,4})?)([^\s"'`\\]{6,200})/g],
  [['obscure '], /(\brclone[ \t]{1,4}obscure[ \t]{1,4}\\{0,3}["']?)((?!-)[^\s"'`\\]{4,500})/g],
  [['community'], /(\bsnmp-server[ \t]{1,4}community[ \t]{1,4})([^\s"'`\\]{4,500})/g],
  [
    ['net use'],
    /(\bnet[ \t]use\b[^\n|;&]{0,200}?\\\S{1,200}[ \t]{1,4})((?!\/)[^\s"'`\\]{4,500})(?=[ \t]{1,4}\/|$|[\n"'\\])/gim,
  ],
  // `expect "password:"; send "…\r"`
  [['send '], /(assword[^\n]{0,60}?\bsend(?:[ \t]{1,4}--)?[ \t]{1,4}\\{0,3}["'])([^"'\n\\]{4,500})/g],
];
