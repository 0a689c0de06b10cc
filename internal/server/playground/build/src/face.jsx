// Face is the initial of a user, in a colour of their own.
export function Face({ user }) {
  return <i className="face" style={{ '--hue': hueOf(user.userId) }} data-initial={user.username[0].toUpperCase()} aria-hidden="true" />;
}

function hueOf(userId) {
  let sum = 0;
  for (const c of userId) sum = (sum * 31 + c.charCodeAt(0)) % 360;
  return sum;
}
