/// The links at the top of every page.
struct Navigation {
  struct Item {
    let title: String
    let link: String
    let isCurrent: Bool
  }

  /// The section of the studio that a page belongs to.
  enum Section: Equatable {
    case store(String), entity(store: String, String), model(String), migrate(String), changes(String)
    case tests, recordings, running, models, none
  }

  let title: String
  let version: String
  let items: [Item]
  /// The pages of the store that a page belongs to; empty on other pages.
  let storeItems: [Item]
  let storeName: String?
  let isWritable: Bool
}

extension Studio {
  /// Returns the navigation for a page of a section.
  func navigation(_ title: String, _ section: Navigation.Section) -> Navigation {
    var current: String?
    switch section {
    case .store(let name), .entity(let name, _), .model(let name), .migrate(let name), .changes(let name):
      current = name
    default: break
    }
    var items = stores.all.map {
      Navigation.Item(title: $0.name, link: Link.store($0.name), isCurrent: $0.name == current)
    }
    if !settings.models.isEmpty {
      items.append(.init(title: "Models", link: "/models", isCurrent: section == .models))
    }
    items.append(.init(title: "Tests", link: "/tests", isCurrent: section == .tests))
    items.append(.init(title: "Instruments", link: "/recordings", isCurrent: section == .recordings))
    items.append(.init(title: "Running programs", link: "/running", isCurrent: section == .running))
    var storeItems: [Navigation.Item] = []
    if let name = current {
      let isEntity = if case .entity = section { true } else { false }
      storeItems = [
        .init(title: "Overview", link: Link.store(name), isCurrent: section == .store(name)),
        .init(title: "Objects", link: Link.store(name) + "/entities", isCurrent: isEntity),
        .init(title: "Model", link: Link.store(name) + "/model", isCurrent: section == .model(name)),
        .init(title: "Migrate", link: Link.store(name) + "/migrate", isCurrent: section == .migrate(name)),
      ]
      if settings.allowsWriting {
        let count = writing.changeCount(name)
        storeItems.append(
          .init(
            title: count == 0 ? "Changes" : "Changes (\(count))", link: EditLink.changes(name),
            isCurrent: section == .changes(name)))
      }
    }
    return Navigation(
      title: title, version: assets.version, items: items, storeItems: storeItems, storeName: current,
      isWritable: settings.allowsWriting)
  }
}
