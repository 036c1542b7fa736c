/// The description of a view, as a page shows it.
struct ViewContent {
  let entity: String
  let store: String
  let path: String
  let link: String
  let rowsLink: String
  let countLink: String
  let explainLink: String
  let indexLink: String
  let suggestionsLink: String
  let predicate: String
  let sort: String
  let columns: String
  let isOwn: Bool
  let isFiltered: Bool
  let isSorted: Bool

  init(_ view: EntityView) {
    let whole = view.with { $0.offset = 0 }
    (entity, store, path) = (view.entity, view.store, view.path)
    link = view.link()
    rowsLink = whole.link("/rows")
    countLink = whole.link("/count")
    explainLink = whole.link("/explain")
    indexLink = whole.link("/index")
    suggestionsLink = view.path + "/suggestions"
    predicate = view.predicate ?? ""
    (sort, columns, isOwn) = (view.sortText, view.columnText, !view.includesSubentities)
    (isFiltered, isSorted) = (!predicate.isEmpty, !sort.isEmpty)
  }
}
