/** What the daemon leaves in its data dir so the CLI can find it and authenticate. */
export const DATA_FILES = {
  daemon: 'daemon.json',
  credentials: 'credentials.json',
  hookToken: 'hook-token.curlrc',
  preferences: 'preferences.json',
  log: 'daemon.log',
  prices: 'prices.json',
  processes: 'seen-processes.json',
  machine: 'machine.json',
  rulesBackup: 'rules-backup.json',
} as const;

/** In the data dir: the built-in agent's session files. */
export const NATIVE_FOLDERS = {
  root: 'native',
  conversations: 'native/conversations',
  transcripts: 'native/projects',
} as const;
