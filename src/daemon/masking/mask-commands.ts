import { isPlaceholder, MASK } from './mask.ts';

/**
 * Options whose value is a password although nothing in their name says so: how the command line goes on to the value, and what
 * must be in a text at all for it to be looked at. The distance between program and option is bounded, so that a text full of
 * program names takes linear time.
 */
const OPTIONS: [letters: string[], option: RegExp][] = [
  [['curl'], /([ \t](?:-u[ \t]{0,4}|--user[ \t=]{1,4})["']?[^\s:"'`]{1,200}:)([^\s"'`\\]{1,500})/g],
  [
    ['curl'],
    /(\bcurl\b[^\n|;&]{0,400}?[ \t](?:-b|--cookie)[ \t=]{0,4}\\{0,3}["']?[\w.-]{1,100}=)([^\r\n"'`\\]{4,4000})/g,
  ],
  [['mysql', 'mariadb'], /(\b(?:mysql|mariadb)[\w-]{0,12}\b[^\n|;&]{0,400}?[ \t]-p)([^\s"'`-][^\s"'`]{2,500})/g],
  [
    ['docker', 'podman', 'skopeo', 'buildah', 'helm', 'oras'],
    /(\b(?:docker|podman|skopeo|buildah|helm|oras)[ \t][^\n|;&]{0,60}?\blogin\b[^\n|;&]{0,300}?[ \t]-p[ \t=]{0,4}\\{0,3}["']?)([^\s"'`\\]{3,500})/g,
  ],
  [
    ['mongo', 'sshpass', 'az ', 'sqlcmd'],
    /(\b(?:mongo\w{0,12}|sshpass|az|sqlcmd)[ \t][^\n|;&]{0,300}?(?<=[ \t])-[pP][ \t]{0,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g,
  ],
  [['redis-cli'], /(\bredis-cli\b[^\n|;&]{0,300}?[ \t]-a[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g],
  [['ldap'], /(\bldap\w{3,10}\b[^\n|;&]{0,300}?[ \t]-w[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g],
  [
    ['htpasswd'],
    /(\bhtpasswd\b[ \t][^\n|;&]{0,100}?-\w{0,6}b\w{0,6}[ \t]{1,4}\S{1,200}[ \t]{1,4}\S{1,100}[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g,
  ],
  [['pass:'], /(\bpass:)([^\s"'`\\]{4,500})/g],
  [['pass '], /([ \t]-(?:store|key|srcstore|deststore|srckey|destkey)pass[ \t]{1,4}\\{0,3}["']?)([^\s"'`\\]{4,500})/g],
];

/** A password typed into a program: `echo 'pw' | docker login --password-stdin`, `sudo -S`, `gh auth login --with-token <<< token`. */
const PIPED =
  /(\b(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?["']?)([^\s"'`|]{4,500})(?=["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4}-\w{0,4}S|[^\n|;&]{0,200}(?:--password-stdin|--with-token)))/g;
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
  if (/--password-stdin|--with-token|sudo/.test(text)) {
    replace(PIPED);
    replace(HERE_STRING);
  }
  return masked;
}
