import { riskyOperands } from './judge.ts';
import { named, type Program } from './program.ts';

/** These can run anything: there is no option left to guard. */
const RUNS_ANYTHING: Program = { ordered: true, others: 'plain', language: true, launch: { script: 'file' } };

/** Programs with their own language, and editors, in which a command can run another. */
export const LANGUAGES: Record<string, Program> = {
  ...named(
    'perl ruby php lua luajit tclsh wish Rscript rscript R r julia elixir erl irb jshell groovy osascript pwsh powershell',
    RUNS_ANYTHING,
  ),
  expect: { ...RUNS_ANYTHING, launch: { anywhere: true } },
  ...named('java', { ordered: true, others: 'plain', launch: { script: 'file' } }),
  ...named('vi vim nvim ex emacs ed nano dc', {
    ...{ obeysInput: true, language: true, spelled: true },
    judge: riskyOperands(/^\+/, 'runs'),
  }),
  ...named('gdb lldb', { obeysInput: true, language: true, spelled: true, launch: { anywhere: true } }),
  ...named('bash sh dash zsh ksh ash rbash mksh fish csh tcsh', { ordered: true, launch: { script: 'file' } }),
};
