const soon = (days) => new Date(Date.now() + days * 86_400_000).toISOString();

export const pantrySamples = [
  {
    title: 'What expires soon',
    text: 'Foods of all kitchens that are good for three days at most, or not any more.',
    query: `query ExpiringSoon {
  expiringFoods(withinDays: 3) {
    items {
      food {
        name
        quantity
        unit
        expiry
        daysLeft
        expired
      }
      container {
        name
      }
      group {
        name
      }
    }
    nextToken
  }
}`,
  },
  {
    title: 'My kitchens',
    text: 'Groups, containers and what is in them.',
    query: `query MyKitchens {
  me {
    name
    groups {
      items {
        id
        name
        memberCount
        containers {
          items {
            id
            name
            foods(sort: EXPIRY) {
              id
              name
              quantity
              unit
              daysLeft
            }
          }
        }
      }
    }
  }
}`,
  },
  {
    title: 'Add a food',
    text: 'Put the id of one of your containers in; the food expires in two days.',
    query: `mutation AddFood($containerId: ID!, $input: FoodInput!) {
  addFood(containerId: $containerId, input: $input) {
    food {
      id
      name
      daysLeft
    }
    container {
      foodCount
    }
  }
}`,
    variables: () => ({
      containerId: 'the id of a container',
      input: { name: 'Yoghurt', quantity: 500, unit: 'g', category: 'Dairy', expiry: soon(2) },
    }),
  },
  {
    title: 'Take some of it',
    text: 'Quantities are counted in the store, so that nothing gets lost when two cook at once.',
    query: `mutation Take($containerId: ID!, $foodId: ID!, $delta: Decimal!) {
  adjustFoodQuantity(containerId: $containerId, foodId: $foodId, delta: $delta) {
    food {
      name
      quantity
      version
    }
  }
}`,
    variables: () => ({ containerId: 'the id of a container', foodId: 'the id of a food', delta: -100 }),
  },
  {
    title: 'Invite somebody',
    text: 'A link that lives for a day; another user gives its code to joinGroup.',
    query: `mutation Invite($groupId: ID!) {
  generateJoinLink(groupId: $groupId) {
    code
    expiresAt
  }
}`,
    variables: () => ({ groupId: 'the id of a group' }),
  },
  {
    title: 'Watch a kitchen',
    text: 'A subscription: leave it running, and let another member change something.',
    query: `subscription Watch($groupId: ID!) {
  containerChanged(groupId: $groupId) {
    kind
    container {
      name
    }
    food {
      name
      quantity
    }
  }
}`,
    variables: () => ({ groupId: 'the id of a group' }),
  },
];
