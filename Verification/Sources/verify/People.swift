import CoreData

/// The model of most checks, made in code: people in teams.
struct People {
  let person = NSEntityDescription()
  let team = NSEntityDescription()
  let name = attribute("name", .stringAttributeType)
  let age = attribute("age", .integer64AttributeType)
  let title = attribute("name", .stringAttributeType)
  let home = NSRelationshipDescription()
  let members = NSRelationshipDescription()

  init() {
    person.name = "Person"
    team.name = "Team"
    // Without classes of their own, so that nothing but values by key is needed.
    person.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
    team.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
    home.name = "team"
    home.destinationEntity = team
    home.inverseRelationship = members
    home.isOptional = true
    home.maxCount = 1
    home.deleteRule = .nullifyDeleteRule
    members.name = "members"
    members.destinationEntity = person
    members.inverseRelationship = home
    members.isOptional = true
    members.deleteRule = .nullifyDeleteRule
    person.properties = [name, age, home]
    team.properties = [title, members]
  }

  /// To be asked for when the entities are as the check wants them.
  var model: NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = [person, team]
    return model
  }
}

/// An optional attribute.
func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
  let attribute = NSAttributeDescription()
  attribute.name = name
  attribute.attributeType = type
  attribute.isOptional = true
  return attribute
}
