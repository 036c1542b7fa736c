import CoreData
import Testing

/// Errors of the framework, caught as published code catches them.
@Suite struct CocoaErrorTests {
  /// What saving an object without a required value throws.
  private func invalidSave() throws -> (NSManagedObject, any Error) {
    let model = NSManagedObjectModel()
    model.entities = [
      TestModel.entity("Thing", [TestModel.attribute("name", .stringAttributeType, optional: false)])
    ]
    return try TestModel.coordinator(model).inContext { context in
      let thing = context.make("Thing")
      do { try context.save() } catch { return (thing, error) }
      throw CocoaError(.featureUnsupported)
    }
  }

  @Test func asCocoaErrorAndNSError() throws {
    let (thing, thrown) = try invalidSave()
    let error = try #require(thrown as? CocoaError)
    #expect(error.code == .validationMissingMandatoryProperty && error.errorCode == 1570)
    #expect(error.validationKey == "name" && error.validationObject as? NSManagedObject === thing)
    #expect(error.validationValue == nil && error.validationPredicate == nil && error.affectedObjects == nil)
    #expect(error.localizedDescription == "name is a required value.")
    let same = thrown as NSError
    #expect(same.domain == NSCocoaErrorDomain && same.code == NSValidationMissingMandatoryPropertyError)
    #expect(CocoaError.errorDomain == NSCocoaErrorDomain)
  }

  @Test func patterns() throws {
    let (_, thrown) = try invalidSave()
    var caught: [String] = []
    do { throw thrown } catch CocoaError.managedObjectMerge {} catch CocoaError.validationMissingMandatoryProperty {
      caught.append("pattern")
    }
    do { throw thrown } catch let error as CocoaError where error.code == .validationMissingMandatoryProperty {
      caught.append("where")
    }
    do { throw thrown } catch let error as NSError where error.code == NSValidationMissingMandatoryPropertyError {
      caught.append("NSError")
    }
    #expect(caught == ["pattern", "where", "NSError"])
  }

  @Test func aMergeConflict() throws {
    let coordinator = try TestModel.coordinator(TestModel.library())
    try coordinator.inContext { context in
      let tag = context.make("Tag", ["name": "A"])
      try context.save()
      try coordinator.inContext { other in
        try other.named("A", "Tag").setValue("B", forKey: "name")
        try other.save()
      }
      tag.setValue("C", forKey: "name")
      do {
        try context.save()
        Issue.record("no conflict")
      } catch let error as CocoaError where error.code == .managedObjectMerge {
        #expect(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] != nil)
      }
    }
  }

  @Test func whatUserInfoHas() throws {
    let object = NSObject(), predicate = NSPredicate(value: false)
    let error = CocoaError(
      .managedObjectValidation,
      userInfo: [
        NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: "key", NSValidationValueErrorKey: 3,
        NSValidationPredicateErrorKey: predicate, NSAffectedObjectsErrorKey: [object],
        NSAffectedStoresErrorKey: [object],
      ])
    #expect(error.validationObject as? NSObject === object && error.validationKey == "key")
    #expect(error.validationValue as? Int == 3 && error.validationPredicate === predicate)
    #expect(error.affectedObjects?.first === object && error.affectedStores?.first === object)
    #expect(CocoaError(.coreData).validationKey == nil && CocoaError(.coreData).affectedStores == nil)
  }

  @Test func keys() {
    #expect(NSValidationKeyErrorKey == "NSValidationErrorKey")
    #expect(NSValidationObjectErrorKey == "NSValidationErrorObject")
    #expect(NSValidationValueErrorKey == "NSValidationErrorValue")
    #expect(NSValidationPredicateErrorKey == "NSValidationErrorPredicate")
    #expect(NSDetailedErrorsKey == "NSDetailedErrors" && NSPersistentStoreSaveConflictsErrorKey == "conflictList")
    #expect(NSAffectedObjectsErrorKey == "NSAffectedObjectsErrorKey" && NSSQLiteErrorDomain == "NSSQLiteErrorDomain")
    #expect(NSAffectedStoresErrorKey == "NSAffectedStoresErrorKey")
  }
}
