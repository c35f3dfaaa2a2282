import { type FormEvent, useId, useState } from 'react';
import type { ModelPrice } from '../../../src/contract/prices.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/states.tsx';

const RATES = [
  ['input', 'Input'],
  ['output', 'Output'],
  ['cacheRead', 'Cache read'],
  ['cacheWrite5m', 'Cache write, 5 minutes'],
  ['cacheWrite1h', 'Cache write, 1 hour'],
] as const;

interface Props {
  price: ModelPrice | null;
  error: string | null;
  busy: boolean;
  onSave: (price: ModelPrice) => void;
  onClose: () => void;
}

export function PriceDialog({ price, error, busy, onSave, onClose }: Props) {
  const form = useId();
  const [model, setModel] = useState(price?.model ?? '');
  const [contextWindow, setContextWindow] = useState(String(price?.contextWindow ?? 200_000));
  const [rates, setRates] = useState<Record<string, string>>(() =>
    Object.fromEntries(RATES.map(([name]) => [name, price ? String(price[name]) : ''])),
  );

  function save(event: FormEvent) {
    event.preventDefault();
    const numbers = Object.fromEntries(RATES.map(([name]) => [name, Number(rates[name])]));
    const base = price ?? { batchFactor: 0.5 };
    onSave({ ...base, model: model.trim(), contextWindow: Number(contextWindow), ...numbers } as ModelPrice);
  }

  return (
    <Dialog
      title={price ? `Price for ${price.model}` : 'Set a model price'}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={form} className="button" data-kind="primary" disabled={busy}>
            Save
          </button>
        </>
      }
    >
      <form id={form} className="flex w-[26rem] max-w-full flex-col gap-3" onSubmit={save}>
        {!price && (
          <label className="flex flex-col gap-1">
            Model ID
            <input
              required
              className="field font-mono"
              placeholder="claude-opus-6"
              value={model}
              onChange={(event) => setModel(event.target.value)}
            />
          </label>
        )}
        {RATES.map(([name, label]) => (
          <label key={name} className="flex items-center justify-between gap-4">
            {label}
            <span className="flex items-center gap-2">
              <span aria-hidden>$</span>
              <input
                required
                type="number"
                min="0"
                step="any"
                className="field w-28 text-end"
                value={rates[name]}
                onChange={(event) => setRates({ ...rates, [name]: event.target.value })}
              />
            </span>
          </label>
        ))}
        <label className="flex items-center justify-between gap-4">
          Context window, in tokens
          <input
            required
            type="number"
            min="1"
            step="1"
            className="field w-32 text-end"
            value={contextWindow}
            onChange={(event) => setContextWindow(event.target.value)}
          />
        </label>
        {price?.longContext && (
          <p className="text-ink-3">
            Requests over {price.longContext.aboveTokens.toLocaleString()} tokens are priced separately.
          </p>
        )}
        {error && <Failure message={error} />}
      </form>
    </Dialog>
  );
}
