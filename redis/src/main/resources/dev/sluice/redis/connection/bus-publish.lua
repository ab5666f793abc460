return publish()
