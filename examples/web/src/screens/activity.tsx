import { act } from "../act.ts";
import { Face, graphql } from "../api.ts";
import { Icon } from "../icons.tsx";
import { useLive } from "../live.ts";
import { useMe } from "../me.ts";
import { Link } from "../router.tsx";
import { Head, Instead, Person } from "../ui.tsx";

const Activity = graphql(`
  query Activity {
    self {
      userId
      cards(limit: 50) { items { cardId title subTitle action thumbnail { url64p } } }
      followerUsers(followStatus: REQUESTED, limit: 50) { items { ...Face } }
    }
  }
`, [Face]);
const Accept = graphql(`mutation Accept($userId: ID!) { acceptFollowerUser(userId: $userId) { userId followerStatus } }`);
const Deny = graphql(`mutation Deny($userId: ID!) { denyFollowerUser(userId: $userId) { userId followerStatus } }`);
const Dismiss = graphql(`mutation Dismiss($cardId: ID!) { deleteCard(cardId: $cardId) { cardId } }`);

/** Who wants to follow, and what has happened. */
export function ActivityScreen() {
  const { userId } = useMe();
  const [{ data, error, fetching }] = useLive(Activity, {}, ["cards", "feed"], ["Card", "User"]);
  const requests = data?.self.followerUsers?.items ?? [];
  const cards = (data?.self.cards?.items ?? []).filter(({ cardId }) => cardId !== `${userId}:REQUESTED_FOLLOWERS` || !requests.length);
  return (
    <main>
      <Head title="Activity" />
      {requests.length > 0 && (
        <section aria-label="Follow requests">
          <h2>Follow requests</h2>
          <ul className="list">
            {requests.map((person) => (
              <Person key={person.userId} of={person}>
                <button className="primary" aria-label={`Accept ${person.username}`} onClick={() => void act(Accept, { userId: person.userId })}>Accept</button>
                <button className="quiet" aria-label={`Deny ${person.username}`} onClick={() => void act(Deny, { userId: person.userId })}>Deny</button>
              </Person>
            ))}
          </ul>
        </section>
      )}
      <ul className="list">
        {cards.map(({ cardId, title, subTitle, action, thumbnail }) => (
          <li key={cardId} className="person">
            <Link to={new URL(action, location.origin).pathname} className="who">
              <span className="sign">{thumbnail ? <img src={thumbnail.url64p} alt="" /> : <Icon name="bell" />}</span>
              <span><strong>{title}</strong>{subTitle && <small>{subTitle}</small>}</span>
            </Link>
            <button className="round" aria-label={`Dismiss: ${title}`} onClick={() => void act(Dismiss, { cardId })}><Icon name="close" /></button>
          </li>
        ))}
      </ul>
      <Instead fetching={fetching} error={error} empty={!cards.length && !requests.length}>
        <h2>All caught up</h2>
        <p>Likes, comments, mentions and follow requests appear here.</p>
      </Instead>
    </main>
  );
}
