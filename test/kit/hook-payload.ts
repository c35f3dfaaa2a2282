/** What the client posts: the fields every event has, and whatever else the event brings. */
export interface HookPayload {
  session_id: string;
  hook_event_name: string;
  transcript_path: string;
  cwd: string;
  [field: string]: unknown;
}
