import CoreData

extension Check {
  static let mandatoryWithoutDefault = Check(
    "D-MIG-09", "inferredMappingModel refuses a new mandatory attribute without a default",
    expected: "error 134190"
  ) {
    let people = People()
    let old = NSManagedObjectModel()
    people.person.properties = [people.name]
    old.entities = [people.person]
    let later = People()
    later.age.isOptional = false
    later.person.properties = [later.name, later.age]
    let new = NSManagedObjectModel()
    new.entities = [later.person]
    return outcome { _ = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new) }
  }
}
