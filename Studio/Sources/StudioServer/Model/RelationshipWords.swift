import CoreDataTools

/// Relationships in sentences, for users who do not see the picture.
enum RelationshipWords {
  static func text(of relationship: ModelSummary.Relationship, entity: String) -> String {
    let destination = relationship.destination ?? "nothing"
    let leads = "Leads to \(count(relationship)) \(destination)"
    let order = relationship.isOrdered ? ", in an order" : ""
    let inverse = relationship.inverse.map { "; \(destination).\($0) leads back" } ?? "; nothing leads back"
    return "\(leads)\(order)\(inverse). \(deleting(relationship, entity, destination))"
  }

  private static func count(_ relationship: ModelSummary.Relationship) -> String {
    if !relationship.isToMany { return relationship.isOptional ? "one or no" : "one" }
    switch (relationship.minCount, relationship.maxCount) {
    case (0, 0): return "any number of"
    case (let least, 0): return "\(least) or more of"
    case (0, let most): return "at most \(most) of"
    case (let least, let most): return least == most ? "\(least) of" : "\(least) to \(most) of"
    }
  }

  private static func deleting(
    _ relationship: ModelSummary.Relationship, _ entity: String, _ destination: String
  ) -> String {
    let what = relationship.isToMany ? "those that it leads to" : "the one that it leads to"
    return switch relationship.deleteRule.lowercased() {
    case "cascade": "Deleting an object of \(entity) deletes \(what)."
    case "deny": "An object of \(entity) cannot be deleted while this leads to something."
    case "nullify": "Deleting an object of \(entity) leaves \(what), without the way back."
    default: "Deleting an object of \(entity) changes nothing of \(what)."
    }
  }
}
