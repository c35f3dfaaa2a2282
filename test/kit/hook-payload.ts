/** A client payload: the fields that every event has, plus those of this event. */
export interface HookPayload {
  session_id: string;
  hook_event_name: string;
  transcript_path: string;
  cwd: string;
  [field: string]: unknown;
}
