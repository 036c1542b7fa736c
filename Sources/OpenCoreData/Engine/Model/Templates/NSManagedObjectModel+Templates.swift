import Foundation
import OpenCocoaFoundation

extension NSManagedObjectModel {
  /// The fetch request templates by name.
  ///
  /// Differs from Apple (D-MOD-04): each request is a copy, and changing it does not change the model.
  public final var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
    templates.mapValues { $0.request(in: self) }
  }

  /// Returns the fetch request template with a name, with its variables; nil if there is none.
  ///
  /// Differs from Apple (D-MOD-04): the request is a copy, and changing it does not change the model.
  public final func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
    templates[name]?.request(in: self)
  }

  /// Keeps a copy of a fetch request under a name; nil removes the template with that name.
  public final func setFetchRequestTemplate(
    _ fetchRequestTemplate: NSFetchRequest<any NSFetchRequestResult>?, forName name: String
  ) {
    templates[name] = fetchRequestTemplate.map { FetchRequestTemplate($0) }
  }

  /// Returns a copy of a template in which variables are replaced by values; nil if there is no template with the name.
  ///
  /// NSNull stands for nil. A variable without a value stays in the predicate, and fetching with the request fails.
  public final func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) -> NSFetchRequest<any NSFetchRequestResult>? {
    guard var template = templates[name] else { return nil }
    template.predicate = template.predicate?.withSubstitutionVariables(variables)
    return template.request(in: self)
  }
}
