import { looksIssued, looksTyped, looksWeak } from './looks-secret.ts';
import { isPlaceholder, MASK } from './mask.ts';
import { PROGRAMS, SECRET_OPERANDS, SECRET_OPTIONS } from './secret-options.ts';

/** Programs that take a secret from their input. */
const TAKES_SECRET =
  '(?:sudo[ \\t]{1,4}-\\w{0,4}S|(?:sudo[ \\t]{1,4})?(?:kinit|cryptsetup|su\\b|passwd|vncpasswd|smbpasswd|secret-tool|pass[ \\t]insert|gpg|keyctl|' +
  '(?:docker|podman|gh|wrangler|fly(?:ctl)?|vercel|eas|supabase|doppler)[ \\t][^\\n|;&]{0,40}?(?:secrets?|env)\\b)|' +
  '[^\\n|;&]{0,200}(?:--password-stdin|--with-token|--passphrase-fd|--token-stdin|-pass(?:in)?[ \\t]stdin|auth login|luks\\w{1,20}))';
/** A password typed into a program: `echo 'pw' | docker login --password-stdin`, `sudo -S`. */
const PIPED = new RegExp(
  `(\\b(?:echo|printf)[ \\t]{1,4}(?:-n[ \\t]{1,4}|\\\\{0,3}["']%s(?:\\\\{1,3}n)?\\\\{0,3}["'][ \\t]{1,4})?\\\\{0,3}["']?)([^\\s"'\`|\\\\]{4,500})(?=\\\\{0,3}["']?[ \\t]{0,4}\\|[ \\t]{0,4}${TAKES_SECRET})`,
  'g',
);
/** `gh auth login --with-token <<< token` */
const HERE_STRING = new RegExp(
  `(\\b${TAKES_SECRET}[^\\n|;&<]{0,200}<<<[ \\t]{0,4}\\\\{0,3}["']?)([^\\s"'\`\\\\]{4,500})`,
  'g',
);
/** `echo 'name:password' | chpasswd` */
const CHPASSWD =
  /(\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?\\{0,3}["']?[\w.-]{1,64}:)([^\s"'`|\\]{4,500})(?=[^\n|]{0,8}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd)/g;
/** `passwd <<EOF`, `auth-user-pass` and the lines behind them. */
const HEREDOC =
  /(\b(?:passwd|smbpasswd|vncpasswd|kinit|cryptsetup[^\n]{0,100}|docker login[^\n]{0,100})[ \t][^\n<]{0,60}<<-?[ \t]{0,2}\\{0,3}["']?\w{1,20}\\{0,3}["']?(?:\r?\n|\\n))((?:[^\s\\"']{4,100}(?:\r?\n|\\n)){1,3})|(\bauth-user-pass>?(?:\r?\n|\\n)[\w.@-]{1,60}(?:\r?\n|\\n))([^\s\\"']{4,100})/g;
/** SQL's `PASSWORD 'x'` and `IDENTIFIED BY 'x'`. */
const SQL =
  /(\b(?:PASSWORD(?:[ \t]{1,4}FOR[ \t]{1,4}\S{1,120}[ \t]{0,4}=)?|IDENTIFIED(?:[ \t]{1,4}WITH[ \t]{1,4}["'\w]{1,60})?[ \t]{1,4}(?:BY|AS))(?:[ \t]{0,4}=[ \t]{0,4}|[ \t]{1,4}|[ \t]{0,4}\([ \t]{0,4})N?\\{0,3}')((?:[^'\r\n\\]|''){3,500})(?=\\{0,3}')/gi;
const SQL_QUOTED = new RegExp(SQL.source.replaceAll(`'`, '"'), SQL.flags);
/** Options that take a password in many programs but other values in others, so the value's shape decides. */
const SHORT_OPTION =
  /([ \t](?:-p|-P|-w|-pw|-pass|-pwd|\/p:?)[ \t=]{0,2}\\{0,3}["']?)([^\s"'`\\]{6,64})(?=$|[\s"'`\\])/g;
/** With a user before it, `-p` is a password: `-u name -p …`. */
const USER_OPTION =
  /([ \t]-{1,2}(?:u|l|U|user|username)[ \t=]{1,2}\S{1,80}[ \t][^\n|;&]{0,60}?(?<=[ \t])-p[ \t]{1,2}\\{0,3}["']?)((?!\d{1,5}(?:\s|$|["'\\]))[^\s"'`\\]{4,200})(?=$|[\s"'`\\])/g;
/** `schtasks /ru name /rp …`, `cmdkey /user:name /pass:…` */
const WINDOWS_OPTION = /([ \t]\/(?:rp[ \t]{1,2}|pass(?:word)?:|pwd:)\\{0,3}["']?)([^\s"'`\\]{4,200})/gi;
/** `echo … > ~/.vault_pass` */
const WRITTEN =
  /(\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4}|\\{0,3}["']%s(?:\\{1,3}n)?\\{0,3}["'][ \t]{1,4})?\\{0,3}["']?)([^\s"'`|\\$]{6,500})(?=\\{0,3}["']?[ \t]{0,4}>>?[ \t]{0,4}[\w./~-]{0,80}(?:pass|secret|token|cred|\.key))/g;
/** `snyk auth ID`, `wandb login KEY`, `codecov -t ID`: what follows was issued by the service. */
const ISSUED =
  /((?:\b(?:login|auth|authtoken|add-authtoken|set-token|activate|authenticate)|[ \t]-[tk])[ \t]{1,4}\\{0,3}["']?)([\w.~+/=-]{20,500})(?=$|[\s"'`\\;])/g;

/** Secrets that command lines pass in unnamed options or pipe into a program. */
export function maskCommands(text: string): string {
  let masked = text;
  const replace = (pattern: RegExp, isOne: (value: string) => boolean = () => true) => {
    masked = masked.replace(pattern, (whole: string, before: string, value: string) =>
      isPlaceholder(value) || !isOne(value) ? whole : `${before}${MASK}`,
    );
  };
  const known = PROGRAMS.test(text) ? SECRET_OPTIONS : [];
  for (const [programs, option] of known) {
    // one command may have two: `-storepass a -keypass b`
    if (programs.test(text)) for (let round = 0; round < 2; round++) replace(option);
  }
  for (const [letters, operand] of SECRET_OPERANDS) if (letters.some((start) => text.includes(start))) replace(operand);
  if (text.includes('<<<')) replace(HERE_STRING);
  if (text.includes(' -p ')) replace(USER_OPTION);
  if (/[ \t]\/(?:rp|pass|pwd)/i.test(text)) replace(WINDOWS_OPTION);
  if (/\b(?:echo|printf)\b[^\n]{0,600}>/.test(text))
    replace(WRITTEN, (value) => looksTyped(value) || looksIssued(value) || looksWeak(value));
  if (/\b(?:echo|printf)\b[^\n]{0,600}\|/.test(text)) replace(PIPED);
  if (text.includes('chpasswd')) replace(CHPASSWD);
  if (/<<|auth-user-pass/.test(text)) {
    masked = masked.replace(HEREDOC, (_, head?: string, lines?: string, before?: string) =>
      head === undefined ? `${before}${MASK}` : head + lines!.replace(/[^\s\\]+(?=\r?\n|\\n)/g, MASK),
    );
  }
  if (/password[ \t(]|identified/i.test(text)) {
    replace(SQL);
    replace(SQL_QUOTED);
  }
  if (/[ \t](?:-[pPw]|\/p)/.test(text)) replace(SHORT_OPTION, looksTyped);
  if (/log ?in|auth|activate|set-token| -[tk] /.test(text)) replace(ISSUED, looksIssued);
  return masked;
}
