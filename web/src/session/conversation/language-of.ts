const NAMES: Record<string, string> = {
  cc: 'cpp',
  cs: 'csharp',
  h: 'c',
  hpp: 'cpp',
  htm: 'xml',
  html: 'xml',
  js: 'javascript',
  jsx: 'javascript',
  kt: 'kotlin',
  md: 'markdown',
  mjs: 'javascript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  yml: 'yaml',
};

/** By file extension. Empty: unknown. */
export function languageOf(path: string): string {
  const ending = /\.(\w{1,12})$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(NAMES, ending) ? NAMES[ending]! : ending;
}
