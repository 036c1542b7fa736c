import Foundation

/// The errors of migrations with a manager.
enum MigrationFailure {
  /// An error about an entity, or a property of it.
  static func error(
    _ reason: String, code: Int = NSMigrationError, entity: String?, property: String? = nil,
    mapping: NSEntityMapping? = nil, underlying: (any Error)? = nil
  ) -> NSError {
    let place = [entity, property].compactMap { $0 }.joined(separator: ".")
    let inMapping = mapping.map { "In the entity mapping “\($0.name ?? "")”: " } ?? ""
    var info: [String: Any] = ["reason": reason]
    info["entity"] = entity
    info["property"] = property
    info["mapping"] = mapping?.name
    info[NSUnderlyingErrorKey] = underlying.map { $0 as NSError }
    return NSError(coreData: code, inMapping + (place.isEmpty ? "" : "\(place): ") + reason, info)
  }

  /// The error for a source that cannot be read.
  static func source(_ error: any Error, _ url: URL) -> NSError {
    store(NSMigrationManagerSourceStoreError, "The store to migrate from cannot be read", error, url)
  }

  /// The error for a destination that cannot be made or written.
  static func destination(_ error: any Error, _ url: URL) -> NSError {
    store(NSMigrationManagerDestinationStoreError, "The store to migrate to cannot be written", error, url)
  }

  private static func store(_ code: Int, _ text: String, _ error: any Error, _ url: URL) -> NSError {
    if isMigrationError(error) { return error as NSError }
    return NSError(
      coreData: code, "\(text): \(error.localizedDescription)",
      [NSUnderlyingErrorKey: error as NSError, NSFilePathErrorKey: url.path])
  }

  /// The error for an error that a policy has thrown, with the step in which it was thrown. An error of this
  /// framework's migrations is passed on as it is.
  static func policy(
    _ error: any Error, _ policy: NSEntityMigrationPolicy, _ mapping: NSEntityMapping, _ step: String
  ) -> NSError {
    if isMigrationError(error) { return error as NSError }
    let name = "\(type(of: policy))"
    return self.error(
      "the migration policy \(name) has failed in \(step): \(error.localizedDescription)",
      code: NSEntityMigrationPolicyError, entity: mapping.destinationEntityName ?? mapping.sourceEntityName,
      mapping: mapping, underlying: error)
  }

  /// The error for a failed save of the destination.
  static func save(_ error: any Error, _ url: URL) -> NSError {
    let conflict = error as NSError
    let conflicts = conflict.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any]
    guard conflict.domain == NSCocoaErrorDomain, conflict.code == NSManagedObjectConstraintMergeError,
      let first = conflicts?.lazy.compactMap({ $0 as? NSConstraintConflict }).first
    else {
      // The error may be about values that cannot be encoded.
      let invalid = NSError.single(error).map { $0 as NSError }
      let isAboutObjects = invalid.allSatisfy { $0.userInfo[NSValidationObjectErrorKey] is NSManagedObject }
      return isAboutObjects ? validation(invalid) ?? destination(error, url) : destination(error, url)
    }
    let names = first.constraint.joined(separator: ", ")
    return self.error(
      "objects are equal in \(names), which must be unique", code: NSMigrationConstraintViolationError,
      entity: first.conflictingObjects.first?.entity.name,
      property: first.constraint.count == 1 ? first.constraint[0] : nil, underlying: error)
  }

  /// The error for objects that are invalid in the destination's model. If there are several errors, it is about the
  /// first one and contains all of them.
  static func validation(_ errors: [NSError]) -> NSError? {
    guard let first = errors.first else { return nil }
    let object = first.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
    let property = first.userInfo[NSValidationKeyErrorKey] as? String
    let isMissing = first.code == NSValidationMissingMandatoryPropertyError
    let reason =
      isMissing
      ? "Validation error missing attribute values on mandatory destination attribute" : first.localizedDescription
    let result = error(reason, entity: object?.entity.name, property: property, underlying: first)
    var info = result.userInfo
    if isMissing { info["attribute"] = property }
    if errors.count > 1 { info[NSDetailedErrorsKey] = errors }
    return NSError(domain: result.domain, code: result.code, userInfo: info)
  }

  /// Whether an error already says where a migration has failed.
  private static func isMigrationError(_ error: any Error) -> Bool {
    let error = error as NSError
    let codes = [
      NSMigrationError, NSMigrationConstraintViolationError, NSMigrationCancelledError,
      NSMigrationManagerSourceStoreError, NSMigrationManagerDestinationStoreError, NSEntityMigrationPolicyError,
    ]
    return error.domain == NSCocoaErrorDomain && codes.contains(error.code)
  }
}
