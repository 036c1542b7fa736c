import Foundation
import OpenCocoaFoundation

// Fetched properties: the results of a request that the model gives for the object. They are fetched when they are first
// asked for and kept until the object is refreshed or becomes a fault.
extension NSManagedObject {
  /// The results of fetched properties. They are kept behind the states of the relationships, once a fetched property
  /// has been read.
  private final class FetchedValues {
    var values: [String: Any] = [:]
  }

  /// The value of the entity's fetched property of that name, nil if there is none: an array of objects, or results of
  /// another kind if its request asks for that.
  final func fetchedValue(forKey key: String) -> Any? {
    guard let property = entity.propertiesByName[key] as? NSFetchedPropertyDescription else { return nil }
    guard let context = managedObjectContext, let request = property.fetchRequest else { return [NSManagedObject]() }
    // A fault fires first: the results that it keeps are then dropped together with its values.
    willAccessValue(forKey: nil)
    let kept = fetchedValues()
    if let known = kept.values[key] { return known }
    request.predicate = request.predicate?.withSubstitutionVariables([
      "FETCH_SOURCE": self, "FETCHED_PROPERTY": property,
    ])
    // Reading a value by its key cannot report an error, except within the evaluation of a predicate, which asks for errors.
    return EvaluatorQuestion.answering(self, otherwise: nil) {
      let value: Any
      do {
        value =
          try request.resultType == .managedObjectResultType
          ? context.fetch(request).compactMap { $0 as? NSManagedObject }
          : request.result(in: context, countOnly: false)
      } catch {
        throw OCDEvaluationError(
          "CoreData could not fetch the property '\(key)' of '\(objectID)': \(error)",
          exception: .internalInconsistency)
      }
      kept.values[key] = value
      return value
    }
  }

  private final func fetchedValues() -> FetchedValues {
    let states = relationStates
    if states.states.count > layout.relationCount, let known = states.states.last as? FetchedValues { return known }
    let made = FetchedValues()
    states.states.append(made)
    return made
  }

  /// Forgets the results of fetched properties that were kept.
  final func forgetFetchedProperties() {
    guard let relations, relations.states.count > layout.relationCount else { return }
    relations.states.removeLast(relations.states.count - layout.relationCount)
  }
}
