import Foundation
import OpenCocoaFoundation

extension SaveRun {
  /// Lets every object that is about to be written validate itself. If validation changes these or other objects,
  /// `willSave` is called for the changed ones, and they are validated as well.
  /// - Throws: a single error as it is, or 1560 with all errors under `NSDetailedErrorsKey`.
  func validate() throws {
    guard context.saving.validates else { return try NSError.throwAll(encodingErrors()) }
    for _ in 0..<1000 {
      // The flag marks unchanged objects: changing an object removes it, and new objects do not have it.
      context.changed.forEachUncounted { $0.state.insert(.saving) }
      let errors = validationErrors()
      var isSettled = context.event.pendingDeletions.isEmpty
      context.changed.forEachUncounted { if !$0.state.contains(.saving) { isSettled = false } }
      if isSettled || !errors.isEmpty {
        context.changed.forEachUncounted { $0.state.remove(.saving) }
        try NSError.throwAll(errors)
        return try NSError.throwAll(encodingErrors())
      }
      context.events.end(isSaving: true)
      try callWillSave()
    }
    stillDirty()
  }

  private func validationErrors() -> [any Error] {
    var errors: [any Error] = []
    for object in context.changed {
      do {
        if object.state.contains(.deleted) {
          if object.state.isDisjoint(with: [.inserted, .inaccessible]) { try object.validateForDelete() }
        } else if object.state.contains(.inserted) {
          try object.validateForInsert()
        } else if object.state.contains(.updated) {
          try object.validateForUpdate()
        }
      } catch {
        errors += NSError.single(error)
      }
    }
    return errors
  }

  /// Encodes after all objects were validated, since validating one object may set a value of another.
  private func encodingErrors() -> [any Error] {
    if context.changed.keepPlainRows { return [] }
    var needingEncoding: ContiguousArray<NSManagedObject> = []
    context.changed.forEachUncounted { object in
      if !object.layout.keepsPlainRows, !object.state.contains(.deleted) { needingEncoding.append(object) }
    }
    var errors: [any Error] = []
    for object in needingEncoding {
      do {
        try object.checkTypelessValues()
        try object.encodeTransformables()
      } catch {
        errors.append(error)
      }
    }
    return errors
  }

  /// Stops the program, since hooks of a save keep changing objects without end.
  func stillDirty() -> Never {
    raise(
      .internalInconsistency,
      "Failed to process pending changes before save.  The context is still dirty after 1000 attempts.  Typically this "
        + "recursive dirtying is caused by a bad validation method, -willSave, or notification handler.")
  }
}
