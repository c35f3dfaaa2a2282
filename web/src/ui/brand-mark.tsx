/** A radar scope with its sweep. */
export function BrandMark({ size = 26 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 32 32" className="shrink-0">
      <rect width="32" height="32" rx="7" fill="var(--ink)" />
      <g fill="none" stroke="var(--strip)" strokeWidth="2">
        <circle cx="16" cy="16" r="10" opacity="0.55" />
        <circle cx="16" cy="16" r="4.5" opacity="0.55" />
        <path d="M16 16 23.4 8.6" strokeLinecap="round" />
      </g>
      <circle cx="21.5" cy="19.5" r="2.4" fill="var(--amber-edge)" />
    </svg>
  );
}
