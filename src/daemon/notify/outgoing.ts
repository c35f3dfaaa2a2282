import type { ChannelTarget, NoticeKind, NotificationPart } from '../../contract/notify.ts';

/** One message as a sender needs it. Its id is the same at every attempt, so a receiver can tell a repeat from a second one. */
export interface Outgoing {
  id: string;
  part: NotificationPart;
  /** One per notice: what comes later with the same tag replaces it. */
  tag: string;
  title: string;
  body: string;
  kind: NoticeKind;
  /** Path of the page that answers it. */
  path: string;
  /** The same as a whole address, for channels outside the browser. */
  url: string;
  sessionId: string | undefined;
  project: string | undefined;
  approvalId: string | undefined;
  /** How it was settled. */
  outcome: string | undefined;
  blind: boolean;
  /** Proves that the device showed it. */
  token: string;
  /** Open requests, for a badge. */
  waiting: number;
  createdAt: number;
  /** What the channel called the notice when it took it, to edit it later. */
  ref: string | undefined;
}

export type Sent =
  | { ok: true; ref?: string }
  | {
      ok: false;
      error: string;
      /** Trying again cannot help. */
      final?: boolean;
      /** Nothing can be sent to this channel any more. */
      broken?: boolean;
      retryAfterMs?: number;
    };

export type TargetOf<Kind extends ChannelTarget['kind']> = Extract<ChannelTarget, { kind: Kind }>;

export interface Sender<Kind extends ChannelTarget['kind']> {
  /** Whether a notice that was shown can be updated once it is settled. */
  updates: boolean;
  send(message: Outgoing, target: TargetOf<Kind>): Promise<Sent>;
}
