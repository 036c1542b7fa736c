import CoreData

extension Check {
  static let inferredMappingNames = Check(
    "D-MIG-07", "names of inferred entity mappings",
    expected: "IEM_Add_Pet, IEM_Transform_Person"
  ) {
    let people = People()
    let old = NSManagedObjectModel()
    people.person.properties = [people.name]
    old.entities = [people.person]
    let later = People()
    later.person.properties = [later.name, later.age]
    let pet = NSEntityDescription()
    pet.name = "Pet"
    pet.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
    let new = NSManagedObjectModel()
    new.entities = [later.person, pet]
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
    return (mapping.entityMappings ?? []).compactMap(\.name).sorted().joined(separator: ", ")
  }
}
