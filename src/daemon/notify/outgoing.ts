import type { ChannelTarget, NoticeKind, NotificationPart } from '../../contract/notify.ts';

/** One message for a sender. Its id stays the same across attempts, so a receiver can detect repeats. */
export interface Outgoing {
  id: string;
  part: NotificationPart;
  /** One per notice. A later message with the same tag replaces it. */
  tag: string;
  title: string;
  body: string;
  kind: NoticeKind;
  /** Path of the page where it can be answered. */
  path: string;
  /** The same as a full URL, for channels outside the browser. */
  url: string;
  sessionId: string | undefined;
  project: string | undefined;
  approvalId: string | undefined;
  /** How it was settled. */
  outcome: string | undefined;
  blind: boolean;
  /** Proves that the device displayed it. */
  token: string;
  /** Number of open requests, for a badge. */
  waiting: number;
  createdAt: number;
  /** The id the channel returned for the notice, for editing it later. */
  ref: string | undefined;
}

export type Sent =
  | { ok: true; ref?: string }
  | {
      ok: false;
      error: string;
      /** Retrying can't help. */
      final?: boolean;
      /** The channel can no longer receive anything. */
      broken?: boolean;
      retryAfterMs?: number;
    };

export type TargetOf<Kind extends ChannelTarget['kind']> = Extract<ChannelTarget, { kind: Kind }>;

export interface Sender<Kind extends ChannelTarget['kind']> {
  /** Whether a displayed notice can be updated once it is settled. */
  updates: boolean;
  send(message: Outgoing, target: TargetOf<Kind>): Promise<Sent>;
}
