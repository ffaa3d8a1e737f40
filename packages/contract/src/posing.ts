/** By what a name would pass for something the service says of an account: ticks, as they stand before a verdict, */
const TICK = /[✓✔☑✅⍻🗸🗹]\u{fe0f}?/gu;
/** and its badges, which stand in a frame of their own behind a name. */
const BADGE =
  /[([{（［｛【〔]\s*(?:verified|official|agent|admin|administrator|moderator|operator|staff)\s*[)\]}）］｝】〕]/giu;
/** A name that holds one would pass for a handle. */
const AT = /[@＠﹫]/gu;

/**
 * What in a display name would pass for the service's own word on the account; undefined: nothing.
 * @example
 * posingMark('Ada ✓'); // '✓'
 * posingMark('Ada (Verified)'); // '(Verified)'
 * posingMark('Ada of the admin office'); // undefined
 */
export const posingMark = (name: string): string | undefined => (name.match(TICK) ?? name.match(BADGE))?.[0];

/** The name without all that, for names that were given elsewhere or before. */
export const withoutPosing = (name: string): string =>
  name.replace(TICK, ' ').replace(BADGE, ' ').replace(AT, ' ').replace(/\s+/gu, ' ').trim();
