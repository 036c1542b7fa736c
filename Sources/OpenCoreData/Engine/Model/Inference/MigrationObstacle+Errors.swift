import Foundation

extension MigrationObstacle {
  /// The error of a migration that this obstacle stops, with the code of its kind. The user info has "entity",
  /// "property" and "reason", and for a missing value also "attribute", as in Apple's framework.
  package var error: NSError {
    var info = userInfo
    guard kind == .missingValue else { return NSError(coreData: kind.code, text, info) }
    info["attribute"] = property
    info[NSUnderlyingErrorKey] = NSError(coreData: kind.code, text, info)
    return NSError(
      coreData: kind.code,
      "Cannot migrate store in-place: Validation error missing attribute values on mandatory destination attribute. "
        + text, info)
  }

  /// Returns the error of inferring a mapping model (134190); nil if there are no obstacles. The user info has
  /// "entity", "property" and "reason". If there are several obstacles, the error is that of the first, and
  /// NSDetailedErrorsKey has the errors of all.
  static func inferenceError(_ obstacles: [MigrationObstacle]) -> NSError? {
    guard let first = obstacles.first else { return nil }
    let errors = obstacles.map { obstacle in
      NSError(
        coreData: NSInferredMappingModelError, "No mapping model can be inferred. \(obstacle.text)", obstacle.userInfo)
    }
    guard errors.count > 1 else { return errors[0] }
    var info = first.userInfo
    info[NSDetailedErrorsKey] = errors
    let more = errors.count == 2 ? "is 1 more reason" : "are \(errors.count - 1) more reasons"
    return NSError(
      coreData: NSInferredMappingModelError,
      "No mapping model can be inferred. \(first.text) (There \(more).)", info)
  }

  private var userInfo: [String: Any] {
    var info: [String: Any] = ["entity": entity, "reason": reason]
    info["property"] = property
    return info
  }
}
