import { graphql } from "./generated/gql.ts";

export const createUser = graphql(`
  mutation CreateUser($name: String!) {
    createUser(input: { name: $name }) {
      id
      name
      groups {
        items {
          id
          containers {
            items {
              id
            }
          }
        }
      }
    }
  }
`);

export const createGroup = graphql(`
  mutation CreateGroup($name: String) {
    createGroup(name: $name) {
      id
      memberCount
    }
  }
`);

export const createContainer = graphql(`
  mutation CreateContainer($groupId: ID!, $name: String) {
    createContainer(groupId: $groupId, name: $name) {
      id
      version
    }
  }
`);

export const invite = graphql(`
  mutation Invite($groupId: ID!) {
    generateJoinLink(groupId: $groupId) {
      code
      expired
    }
  }
`);

export const preview = graphql(`
  query Preview($code: String!) {
    joinLinkPreview(code: $code) {
      groupName
      memberCount
      alreadyMember
    }
  }
`);

export const join = graphql(`
  mutation Join($code: String!) {
    joinGroup(code: $code) {
      id
      memberCount
    }
  }
`);

export const addFood = graphql(`
  mutation AddFood($containerId: ID!, $input: FoodInput!) {
    addFood(containerId: $containerId, input: $input) {
      food {
        id
        quantity
      }
    }
  }
`);

export const adjust = graphql(`
  mutation Adjust($containerId: ID!, $foodId: ID!, $delta: Decimal!) {
    adjustFoodQuantity(containerId: $containerId, foodId: $foodId, delta: $delta) {
      food {
        quantity
        version
      }
    }
  }
`);

export const inContainer = graphql(`
  query InContainer($id: ID!) {
    container(id: $id) {
      foodCount
      foods(sort: NAME) {
        name
        quantity
        expired
        daysLeft
        addedBy {
          name
        }
      }
    }
  }
`);

export const expiring = graphql(`
  query Expiring($withinDays: Int) {
    expiringFoods(withinDays: $withinDays) {
      items {
        food {
          name
        }
        group {
          name
        }
      }
    }
  }
`);

export const watch = graphql(`
  subscription Watch($groupId: ID!) {
    containerChanged(groupId: $groupId) {
      kind
      food {
        name
        quantity
      }
      container {
        foodCount
      }
    }
  }
`);
