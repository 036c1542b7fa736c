/// Addresses of the pages that change objects.
enum EditLink {
  static func changes(_ store: String) -> String { Link.store(store) + "/changes" }

  static func edit(_ store: String, _ reference: String) -> String { Link.object(store, reference) + "/edit" }

  static func delete(_ store: String, _ reference: String) -> String { Link.object(store, reference) + "/delete" }

  /// Returns the page of an object; for an object that was never saved, the form.
  static func object(_ store: String, _ reference: String) -> String {
    if case .new? = EditReference(reference) { return edit(store, reference) }
    return Link.object(store, reference)
  }
}
