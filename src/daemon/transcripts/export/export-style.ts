export const EXPORT_STYLE = `
:root{--bg:#fff;--fg:#1c1e21;--dim:#5c636b;--line:#dde1e6;--box:#f5f6f8;--you:#eaf1fe;--add:#ddf4e2;--del:#fde4e4;--bad:#b42318}
@media (prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e4e7ea;--dim:#99a1aa;--line:#2c3238;--box:#1c2024;--you:#18263d;--add:#12351f;--del:#431d1d;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1.5rem;background:var(--bg);color:var(--fg);font:15px/1.55 system-ui,sans-serif}
header{border-bottom:1px solid var(--line);margin-bottom:1rem}
h1{font-size:1.4rem;margin:0 0 .25rem;overflow-wrap:anywhere}
header p,small{color:var(--dim);font-size:.8rem;font-weight:400;overflow-wrap:anywhere}
article{padding:.4rem .9rem;margin:.5rem 0;border-left:3px solid var(--line)}
article.user{background:var(--you);border-color:#3b7cf0;border-radius:0 6px 6px 0}
article.meta,article.system{font-size:.85rem;color:var(--dim)}
h2{font-size:.85rem;margin:.1rem 0 .3rem}
.text{overflow-wrap:anywhere}
.text>*{margin:.5rem 0}
.text>:first-child{margin-top:0}
.text :is(h3,h4,h5,h6){font-size:1.05em}
.text table{border-collapse:collapse;display:block;overflow-x:auto}
.text :is(th,td){border:1px solid var(--line);padding:.2rem .5rem;text-align:left}
.text blockquote{border-left:3px solid var(--line);padding-left:.7rem;color:var(--dim)}
pre{background:var(--box);border:1px solid var(--line);border-radius:6px;padding:.6rem;margin:.4rem 0;overflow:auto;font:12.5px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;max-height:40rem}
code{background:var(--box);border-radius:4px;padding:0 .25em;font:.9em ui-monospace,monospace;overflow-wrap:anywhere}
pre code{background:none;padding:0;font:inherit}
details{margin:.35rem 0}
summary{cursor:pointer}
.agent{border-left:2px dashed var(--line);padding-left:.6rem}
.diff span{display:block;min-height:1.45em}
.diff .added{background:var(--add)}
.diff .removed{background:var(--del)}
.file{margin:.4rem 0 0;font:.8rem ui-monospace,monospace}
.failed{color:var(--bad)}
.notice{margin:.2rem 0}
img{max-width:100%;border:1px solid var(--line);border-radius:6px}
`;
