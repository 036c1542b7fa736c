import CoreData
import Model

let container = NSPersistentContainer(name: "Reading")
container.loadPersistentStores { store, error in
  if let error { fatalError("\(error)") }
  print("Open:", store.url?.lastPathComponent ?? "")
}
let context = container.viewContext
