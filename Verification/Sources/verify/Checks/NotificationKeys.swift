import CoreData

extension Check {
  static let notificationKeys = Check(
    "D-CTX-13", "raw keys of what observers are told",
    expected: "refreshed, invalidated, invalidatedAll"
  ) {
    return [NSRefreshedObjectsKey, NSInvalidatedObjectsKey, NSInvalidatedAllObjectsKey].joined(separator: ", ")
  }
}
